import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundedRequest } from './bounded-request.ts';

const server = createServer({
  IncomingMessage: boundedRequest({ 'x-ignored': { most: 5 }, 'x-refused': { most: 5, standIn: '?' } }),
  maxHeaderSize: 32_768,
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

/** The headers that a listener of the server sees. */
async function seen(
  event: 'request' | 'upgrade' | 'checkContinue',
  headers: Record<string, string | string[]>,
) {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', agent: false, headers });
  asked.on('error', () => undefined).end();
  const [req] = (await once(server, event)) as [{ headers: IncomingHttpHeaders }];
  asked.destroy();
  return req.headers;
}

const KINDS = [
  ['request', {}],
  ['upgrade', { connection: 'upgrade', upgrade: 'websocket' }],
  ['checkContinue', { expect: '100-continue' }],
] as const;

test.each(KINDS)('in a %s no header is longer than its limit', async (event, headers) => {
  const own = { 'x-ignored': 'x'.repeat(6), 'x-refused': 'x'.repeat(30_000), 'x-other': 'x'.repeat(6) };
  const found = await seen(event, { ...headers, ...own });
  expect(found).toMatchObject({ 'x-refused': '?', 'x-other': 'xxxxxx' });
  expect(found).not.toHaveProperty('x-ignored');
});

test('a header as long as its limit is as it was sent', async () => {
  expect(await seen('request', { 'x-ignored': 'xxxxx', 'x-refused': '12345' })).toMatchObject({
    'x-ignored': 'xxxxx',
    'x-refused': '12345',
  });
});

test('the values of a header that is sent several times count together', async () => {
  expect(await seen('request', { 'x-refused': ['123', '45'] })).toMatchObject({ 'x-refused': '?' });
});
