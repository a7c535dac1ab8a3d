import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { createRouterTransport } from '@connectrpc/connect';
import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import { MEDIA_TYPE } from './support/call.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';
import { ACCESS_TOKEN, APP_ID, BOUND_TOKEN, knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { refusedUpgrade } from './support/sockets.ts';

// docs/protocol/requests.md#long-headers

let gateway: TestGateway;
beforeAll(async () => {
  const messagingTransport = createRouterTransport(() => undefined);
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
});
afterAll(() => gateway.stop());

type Headers = Record<string, string>;
const user: Headers = { accept: MEDIA_TYPE, authorization: `Svc session-token="${SESSION_TOKEN}"` };
const server: Headers = { accept: MEDIA_TYPE, authorization: `Bearer ${ACCESS_TOKEN}` };
const page: Headers = { ...user, authorization: `Svc session-token="${BOUND_TOKEN}"` };
const upload: Headers = { ...user, 'upload-content-type': 'text/plain', 'upload-content-length': '5' };
const admin: Headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };

async function ask(method: string, path: string, headers: Headers) {
  const asked = httpRequest(gateway.baseUrl + path, { method, headers, agent: false });
  asked.end(path.endsWith('/conversations') ? JSON.stringify({ participants: ['ada'] }) : undefined);
  const answer = await new Promise<IncomingMessage>((resolve) => asked.once('response', resolve));
  const body = answer.headers['content-type']?.startsWith('application/json')
    ? ((await json(answer)) as { id?: string; data?: { header?: string } })
    : {};
  answer.resume();
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** A value that is well-formed but for its length. */
function long(name: string, beginning: string, filling: string): Headers {
  const most = HEADER_LIMITS[name]?.most ?? 0;
  return { [name]: beginning + filling.repeat(Math.ceil(most / filling.length)) };
}

const REFUSED: [name: string, method: string, path: string, headers: Headers, status: number, id: string][] =
  [
    [
      'accept',
      'GET',
      '/following',
      { ...user, ...long('accept', MEDIA_TYPE, ', a/b') },
      406,
      'invalid_header',
    ],
    [
      ...(['authorization', 'GET', '/following'] as const),
      { ...user, ...long('authorization', 'Svc session-token=', 'a') },
      ...([401, 'authentication_required'] as const),
    ],
    [
      ...(['authorization, where it is optional', 'GET', '/'] as const),
      long('authorization', 'Bearer ', 'a'),
      ...([401, 'authentication_required'] as const),
    ],
    [
      ...(['idempotency-key', 'POST', '/content'] as const),
      { ...upload, ...long('idempotency-key', 'a', 'a') },
      ...([422, 'invalid_property'] as const),
    ],
    [
      ...(['if-none-match', 'POST', `/apps/${APP_ID}/conversations`] as const),
      { ...server, ...long('if-none-match', '"', 'a') },
      ...([400, 'invalid_request_id'] as const),
    ],
    [
      ...(['x-http-method-override', 'POST', '/following'] as const),
      { ...user, ...long('x-http-method-override', 'PUT', 'T') },
      ...([400, 'invalid_request'] as const),
    ],
    [
      ...(['origin', 'GET', '/following'] as const),
      { ...page, ...long('origin', 'https://', 'app.test') },
      ...([403, 'access_denied'] as const),
    ],
    [
      ...(['upload-content-length', 'POST', '/content'] as const),
      { ...upload, ...long('upload-content-length', '5', '0') },
      ...([422, 'invalid_property'] as const),
    ],
    [
      ...(['upload-content-filename', 'POST', '/content'] as const),
      { ...upload, ...long('upload-content-filename', 'a', 'a') },
      ...([422, 'invalid_property'] as const),
    ],
  ];

test.each(REFUSED)(
  'a long %s is refused as a malformed one is',
  async (_name, method, path, headers, status, id) => {
    const answer = await ask(method, path, headers);
    expect([answer.status, answer.body.id]).toEqual([status, id]);
  },
);

test('a long Host is malformed, also for the administration API', async () => {
  const path = '/admin/rpc/parley.identity.v1.AdminService/ListApps';
  expect((await ask('POST', path, { ...admin, ...long('host', 'a', '.a') })).status).toBe(400);
});

test('a long Sec-WebSocket-Protocol offers no subprotocol', async () => {
  const headers = { connection: 'upgrade', upgrade: 'websocket' };
  const offered = { ...headers, ...long('sec-websocket-protocol', 'svc-3.0', ', a') };
  expect(await refusedUpgrade(gateway.baseUrl, offered)).toBe(400);
  const short = { ...headers, 'sec-websocket-protocol': 'svc-3.0' };
  expect(await refusedUpgrade(gateway.baseUrl, short)).toBe(401);
});

test('long headers that nothing depends on are ignored', async () => {
  const ignored = ['x-request-id', 'traceparent', 'accept-encoding', 'cookie'].map((name) =>
    long(name, 'a', 'a'),
  );
  const answer = await ask('GET', '/ping', Object.assign({}, ...ignored.slice(0, 3)) as Headers);
  expect(answer.status).toBe(200);
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  expect((await ask('GET', '/ping', ignored[3] ?? {})).status).toBe(200);
});
