import { Code, ConnectError } from '@connectrpc/connect';
import { Metadata, status } from '@grpc/grpc-js';
import { errorOf, statusOf } from './status.ts';

test('a stream that a stopping server reset is a server that is unavailable', () => {
  const details = 'Received RST_STREAM with code 0 (Call ended without gRPC status)';
  const error = errorOf({ code: status.INTERNAL, details, metadata: new Metadata() });
  expect(error.code).toBe(Code.Unavailable);
});

test('an internal error of the server stays one', () => {
  const error = errorOf(statusOf(new ConnectError('something is wrong', Code.Internal)));
  expect([error.code, error.rawMessage]).toEqual([Code.Internal, 'something is wrong']);
});
