import { createRouterTransport } from '@connectrpc/connect';
import { describeListener } from '@parley/kit/http/testing/listener-rules';
import { askRaw } from '@parley/kit/http/testing/raw';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { MEDIA_TYPE } from './support/call.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';
import { ACCESS_TOKEN, APP_ID, knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { createPages } from './support/pages.ts';

const { folder, remove } = createPages({ 'assets/app.1a2b.js': 'x', 'guides/index.html': 'x' });
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    identityTransport: knownTokens(),
    messagingTransport: createRouterTransport(({ service }) => {
      service(MessagingService, { listConversations: () => ({ conversations: [], total: 0 }) });
    }),
    env: {
      PARLEY_RATE_LIMIT_FACTOR: '0',
      PARLEY_SITE_FOLDER: folder,
      PARLEY_CONSOLE_FOLDER: folder,
      PARLEY_CONSOLE_PORT: '0',
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  remove();
});

const API = `Accept: ${MEDIA_TYPE}`;
const USER = [API, `Authorization: Svc session-token="${SESSION_TOKEN}"`];
const SERVER = [API, `Authorization: Bearer ${ACCESS_TOKEN}`];
const PAGE = ['Accept: text/html'];
const place = () => ({ port: gateway.ports.http, host: `127.0.0.1:${gateway.ports.http}` });
const consolePlace = () => ({ port: gateway.ports.console, host: `127.0.0.1:${gateway.ports.console}` });
const ofConsole = [
  { target: '/console/', lines: PAGE },
  { target: '/console/apps/x', lines: PAGE },
  { target: '/console/assets/app.1a2b.js' },
];
const ASSET = '/docs/assets/app.1a2b.js';

describeListener('public', () => ({
  ...place(),
  reads: [
    { target: '/' },
    { target: '/ping' },
    { target: '/conversations?page_size=3', lines: USER },
    { target: `/apps/${APP_ID}/users/alice/conversations`, lines: SERVER },
    { target: '/openapi.json' },
    { target: '/asyncapi.json' },
    { target: '/docs/errors' },
    { target: '/docs/', lines: PAGE },
    { target: '/docs/guides/', lines: PAGE },
    ...ofConsole,
  ],
  unknown: ['/PING', '/Conversations', '/DOCS/errors', '/Docs/', '/CONSOLE/', '/Console/session', '/Admin/'],
  writes: [
    { method: 'POST', target: '/nonces', lines: [API] },
    { method: 'POST', target: '/sessions', lines: [API] },
    { method: 'PATCH', target: `/apps/${APP_ID}`, lines: SERVER },
    {
      method: 'POST',
      target: '/console/sign-in/code',
      lines: [`Origin: http://127.0.0.1:${gateway.ports.http}`],
    },
  ],
  isApi: true,
  tagged: [
    { target: '/openapi.json' },
    { target: '/asyncapi.json' },
    { target: '/docs/errors' },
    { target: '/docs/guides/', lines: PAGE },
    { target: ASSET },
    { target: '/console/assets/app.1a2b.js' },
  ],
  cached: ['/docs/', '/console/assets/', '/openapi.json', '/asyncapi.json'],
  isFile: (at) => /^\/(docs\/(?!errors)|console)/.test(at),
  upgrades: true,
}));

describeListener('console', () => ({
  ...consolePlace(),
  reads: ofConsole,
  unknown: ['/CONSOLE/', '/Console/session', '/ADMIN/', '/ping'],
  writes: [
    {
      ...{ method: 'POST', target: '/console/sign-in/code' },
      lines: [`Origin: http://127.0.0.1:${gateway.ports.console}`],
    },
  ],
  isApi: true,
  tagged: [{ target: '/console/assets/app.1a2b.js' }],
  cached: ['/console/assets/'],
  isFile: () => true,
}));

test.each([
  ['/websocket/', 401],
  ['/websocket', 401],
  ['/websocket/3/', 401],
  ['/websocket//', 404],
  ['/WebSocket', 404],
])('an upgrade of %s is answered with %d', async (target, status) => {
  const lines = [
    ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: svc-3.0'],
  ];
  const answer = await askRaw(place(), { target, lines });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  const twice = await askRaw(place(), { target, lines: [...lines, 'Host: a', 'Host: b'] });
  expect(twice.status).toBe(400);
});

test('methods of the administration API take a slash at the end, and no cache keeps what they answer', async () => {
  const lines = [`Authorization: Bearer ${ADMIN_TOKEN}`, 'Content-Type: application/json'];
  for (const [start, expected] of [
    ['/admin', [false, 'no-store', 'nosniff']],
    ['/ADMIN', [true, 'no-store', 'nosniff']],
  ] as const) {
    const target = `${start}/rpc/parley.identity.v1.AdminService/ListApps/`;
    for (const at of [place(), consolePlace()]) {
      const { status, headers } = await askRaw(at, { method: 'POST', target, lines, body: '{}' });
      expect([status === 404, headers['cache-control'], headers['x-content-type-options']]).toEqual(expected);
    }
  }
});

test.each(['/docs/%00', '/console/%00', '/console/assets/%00', '/docs/%2e%2e/%2e%2e/', '/admin/%00', '/%00'])(
  '%s is no failure of the platform',
  async (target) => {
    for (const at of [place(), consolePlace()])
      expect((await askRaw(at, { target, lines: PAGE })).status).toBeLessThan(500);
  },
);

test.each([ASSET, '/docs/guides/', '/console/assets/app.1a2b.js'])(
  'a range that %s does not have is 416, and conditions on its date are honoured',
  async (target) => {
    const range = await askRaw(place(), { target, lines: [...PAGE, 'Range: bytes=99-'] });
    expect([range.status, range.headers['content-range']]).toEqual([416, 'bytes */1']);
    const since = (name: string, year: number) =>
      askRaw(place(), { target, lines: [...PAGE, `${name}: Sat, 01 Jan ${year} 00:00:00 GMT`] });
    expect((await since('If-Unmodified-Since', 2000)).status).toBe(412);
    expect((await since('If-Modified-Since', 2050)).status).toBe(304);
  },
);
