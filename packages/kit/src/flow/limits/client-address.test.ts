import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { addressOf } from './client-address.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers['x-forwarded-for'] = forwarded;
  return req;
}

test.each([
  ['without a proxy it is the connection’s', '192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
  ['one proxy names the client', '10.0.0.1', '203.0.113.9', 1, '203.0.113.9'],
  ['what the client wrote before it does not count', '10.0.0.1', '1.1.1.1, 203.0.113.9', 1, '203.0.113.9'],
  [
    'the outer of two proxies names the client',
    '10.0.0.1',
    '1.1.1.1, 203.0.113.9, 10.0.0.2',
    2,
    '203.0.113.9',
  ],
  ['a proxy without the header counts as the client', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['IPv4 within IPv6 is IPv4', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['IPv6 counts by the network', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2'],
  ['also when it is shortened', '2001:db8::6', undefined, 0, '2001:db8:0:0'],
  ['the port of a connection does not count', '10.0.0.1', '203.0.113.9:4711', 1, '203.0.113.9'],
  ['nor that of an IPv6 address', '10.0.0.1', '[2001:db8::6]:4711', 1, '2001:db8:0:0'],
  ['fewer entries than proxies: the connection’s', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
  ['an empty entry stands for none', '10.0.0.1', ',10.0.0.2', 2, '10.0.0.1'],
  ['of a long entry the beginning counts', '10.0.0.1', 'x'.repeat(1_000), 1, 'x'.repeat(64)],
  ['brackets without a port do not count', '10.0.0.1', '[2001:db8::6]', 1, '2001:db8:0:0'],
  ['the end of an IPv6 address is no port', '10.0.0.1', '::1', 1, '0:0:0:0'],
])('%s', (_name, remote, forwarded, proxies, expected) => {
  expect(addressOf(request(remote, forwarded), proxies)).toBe(expected);
});
