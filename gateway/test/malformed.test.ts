import { createRouterTransport } from '@connectrpc/connect';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens } from './support/identity.ts';

let gateway: TestGateway;

beforeAll(async () => {
  const messagingTransport = createRouterTransport(() => undefined);
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
});
afterAll(() => gateway.stop());

/** What comes back, until the gateway ends the connection. */
function exchange(bytes: string): Promise<string> {
  const socket = connect(gateway.ports.http, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

test('a malformed request is answered with an error, and the connection is closed', async () => {
  const [head = '', body = ''] = (await exchange('NONSENSE\r\n\r\n')).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nX-Request-Id: [\w-]{36}\r\n/);
  expect(JSON.parse(body)).toMatchObject({ id: 'invalid_request', code: 10, data: null });
});

test('a request target may be an absolute address', async () => {
  const answer = await exchange('GET http://elsewhere/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

const handshake = [
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: svc-3.0',
].join('\r\n');

test.each(['//', '//websocket', '/nowhere', '/websocket/x', '*', 'http://'])(
  'an upgrade of %s leads nowhere or is refused, and says which request it was',
  async (path) => {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\n${handshake}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[014] /);
    expect(answer).toMatch(/\r\nX-Request-Id: [\w-]{36}\r\n|^HTTP\/1\.1 400 /);
  },
);

test.each([
  ['GET', '/ping', '', 200],
  ['POST', '/nonces', '', 201],
  ['POST', '/conversations', '{"participants":[]}', 401],
])('an offer of h2c with %s %s is declined, and the request answered', async (method, path, body, status) => {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'Accept: application/vnd.svc+json; version=3.0',
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    `Content-Length: ${body.length}`,
  ];
  expect(await exchange(`${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('pipelined requests are answered in order', async () => {
  const one = 'GET /ping HTTP/1.1\r\nHost: x\r\nX-Request-Id: r1\r\n\r\n';
  const two = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-Id: r2\r\nConnection: close\r\n\r\n';
  const answers = await exchange(one + two);
  expect(answers.indexOf('x-request-id: r1')).toBeGreaterThan(0);
  expect(answers.toLowerCase().indexOf('x-request-id: r2')).toBeGreaterThan(
    answers.indexOf('x-request-id: r1'),
  );
});
