import { Code } from '@connectrpc/connect';
import { isOutage, toConnectError } from './errors.ts';

/** An error of the driver or of the network layer. */
function errorOf(code: string | undefined, message = 'failed'): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  ['a server that refuses', errorOf('ECONNREFUSED')],
  ['a server that vanished from its network', errorOf('EHOSTUNREACH')],
  ['a network without a way', errorOf('ENETUNREACH')],
  ['a connection that was given up', errorOf('ECONNABORTED')],
  ['a server that accepts and does not answer', errorOf(undefined, 'Query read timeout')],
  ['a connection that ended', errorOf(undefined, 'Connection terminated unexpectedly')],
])('%s is an outage, and no fault of the request', (_, error) => {
  expect(toConnectError(error).code).toBe(Code.Unavailable);
  expect(isOutage(toConnectError(error))).toBe(true);
});

test('an error that is not known is no outage', () => {
  expect(toConnectError(errorOf(undefined, 'no such thing')).code).toBe(Code.Internal);
});
