import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { startFlooder, type Flood, type Flooder } from '@parley/testing';
import type { Mount } from '../src/api/http/mounts.ts';
import { ROUTES } from '../src/api/routes.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';
import { ACCESS_TOKEN, APP_ID, knownTokens, SESSION_TOKEN } from './support/identity.ts';

// What a flood of refusals costs the gateway, beside one of the cheapest request of the same entry point that is served. A new
// way into the gateway gets a row. No answer waits here: the wait bounds the number of refusals, not what one costs.

const REQUESTS = 300;
/** Processor times of one and the same flood differ by half on a busy machine. */
const MOST = 2;
const ROUNDS = 4;

const ACCEPT = 'Accept: application/vnd.svc+json; version=3.0';
const SESSION = `Authorization: Svc session-token="${SESSION_TOKEN}"`;
const SERVER = `Authorization: Bearer ${ACCESS_TOKEN}`;
const ADMIN = `Authorization: Bearer ${ADMIN_TOKEN}`;
const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const ORIGINAL = [...UPGRADE, 'Sec-WebSocket-Protocol: svc-3.0'];
const EXTENDED = [...UPGRADE, 'Sec-WebSocket-Protocol: svc-3.1'];
/** Another address: beyond its rate of wrong tokens, an address is not asked for again whose token it is. */
const ELSEWHERE = 'X-Forwarded-For: 192.0.2.1';
const LIST_APPS = 'POST /admin/rpc/parley.identity.v1.AdminService/ListApps';

type Asked = Omit<Flood, 'port' | 'requests'>;
type EntryPoint = {
  listener: 'http' | 'console';
  served: Asked;
  refused: Record<string, Asked>;
};

const of = (...request: Asked['request']): Asked => ({ request });
const alone = (...request: Asked['request']): Asked => ({ request, isAlone: true });

/** One request for each route, with these headers. */
function eachRoute(headers: readonly string[]): Record<string, Asked> {
  const asked = ROUTES.filter(({ auth }) => auth === 'session' || auth === 'bearer').map(
    ({ method, path: route }) => {
      const place = route.replace(':app_uuid', APP_ID).replace(/:\w+/g, 'x');
      return [`${method} ${route}`, of(`${method} ${place}`, ACCEPT, ...headers)] as const;
    },
  );
  return Object.fromEntries(asked);
}

/** One request of each of several, as one text. */
function together(some: Record<string, Asked>): Asked {
  const [first, ...rest] = Object.values(some).map(({ request: [start, ...headers] }) => [start, ...headers]);
  const lines = rest.flatMap((request) => [
    '',
    `${request[0] ?? ''} HTTP/1.1`,
    'Host: localhost',
    ...request.slice(1),
  ]);
  return {
    request: [first?.[0] ?? '', ...(first?.slice(1) ?? []), ...lines],
    size: Object.keys(some).length,
  };
}

const ENTRY_POINTS: Record<
  'routes' | 'routes with a body' | 'new connections' | 'upgrades' | 'console listener' | Mount,
  EntryPoint
> = {
  routes: {
    listener: 'http',
    served: of('GET /ping'),
    refused: {
      'an unknown path': of('GET /nothing/here', ACCEPT),
      'another method': of('PUT /ping', ACCEPT),
      'another media type': of('POST /nonces', 'Accept: text/html', 'Content-Length: 0'),
      'a path that is no UTF-8': of('GET /conversations/%ff', ACCEPT, SESSION),
      'a method that may not be named': of(
        'POST /nonces',
        ACCEPT,
        'X-HTTP-Method-Override: FOO',
        'Content-Length: 0',
      ),
      'every route without a token': together(eachRoute([])),
      'every route with a wrong token': together(eachRoute(['Authorization: Bearer wrong'])),
    },
  },
  'routes with a body': {
    listener: 'http',
    served: { ...of('POST /nonces', ACCEPT), body: '{}' },
    refused: {
      'a session beyond its rate': { ...of('POST /conversations', ACCEPT, SESSION), body: '{}' },
      'a server beyond its rate': { ...of(`POST /apps/${APP_ID}/announcements`, ACCEPT, SERVER), body: '[' },
    },
  },
  'new connections': {
    listener: 'http',
    served: alone('GET /ping'),
    refused: {
      'requests that are no HTTP': alone('GET / x'),
      'header lines that are too long': alone('GET /ping', `X: ${'x'.repeat(33_000)}`),
    },
  },
  upgrades: {
    listener: 'http',
    served: alone(`GET /websocket?session_token=${SESSION_TOKEN}`, ELSEWHERE, ...ORIGINAL),
    refused: {
      'no token': alone('GET /websocket', ...ORIGINAL),
      'a wrong token': alone('GET /websocket?session_token=wrong', ...ORIGINAL),
      'another path': alone('GET /nothing', ...ORIGINAL),
      'no known subprotocol': alone('GET /websocket', ...UPGRADE),
      'a client that gets a close code': alone('GET /websocket', ...EXTENDED),
    },
  },
  admin: {
    listener: 'http',
    served: { ...of(LIST_APPS, ADMIN, ELSEWHERE, 'Content-Type: application/json'), body: '{}' },
    refused: {
      'no token': { ...of(LIST_APPS, 'Content-Type: application/json'), body: '{}' },
      'a wrong token': { ...of(LIST_APPS, 'Authorization: Bearer wrong'), body: '{}' },
      'an unknown method': { ...of('POST /admin/rpc/nothing', ADMIN), body: '{}' },
      'another media type': { ...of(LIST_APPS, ADMIN, 'Content-Type: text/plain'), body: '{}' },
      'a body that is no JSON': { ...of(LIST_APPS, ADMIN, 'Content-Type: application/json'), body: '[' },
      GET: of(LIST_APPS.replace('POST', 'GET'), ADMIN),
    },
  },
  console: {
    listener: 'console',
    served: of('GET /console/', 'Accept: text/html'),
    refused: {
      'no session': of('GET /console/session'),
      'a page of another origin': { ...of('POST /console/sign-in/code'), body: '{}' },
      'an unknown path': of('GET /console/assets/nothing'),
      'another method': { ...of('DELETE /console/nothing'), body: '' },
    },
  },
  'console listener': {
    listener: 'console',
    served: of('GET /console/', 'Accept: text/html'),
    refused: { 'an unknown path': of('GET /nothing'), 'a route of the other listener': of('GET /ping') },
  },
  docs: {
    listener: 'http',
    served: of('GET /docs/errors'),
    refused: {
      'an unknown page': of('GET /docs/nothing'),
      'another method': { ...of('POST /docs/errors'), body: '{}' },
    },
  },
};

let gateway: TestGateway;
let folder: string;
let flooder: Flooder;

beforeAll(async () => {
  flooder = startFlooder();
  folder = await mkdtemp(path.join(tmpdir(), 'parley-console-'));
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  const identityTransport = knownTokens(({ service }) => {
    service(AdminService, { listApps: () => ({ apps: [] }) });
  });
  const many = '1000000000';
  const env = {
    PARLEY_TRUSTED_PROXIES: '1',
    PARLEY_RATE_LIMIT_REFUSAL: many,
    PARLEY_RATE_LIMIT_REFUSAL_BURST: many,
    PARLEY_RATE_LIMIT_ADDRESS: many,
    PARLEY_RATE_LIMIT_ADDRESS_BURST: many,
    PARLEY_RATE_LIMIT_SESSION: '1',
    PARLEY_RATE_LIMIT_SESSION_BURST: '1',
    PARLEY_RATE_LIMIT_ACCESS_TOKEN: '1',
    PARLEY_RATE_LIMIT_ACCESS_TOKEN_BURST: '1',
    PARLEY_RATE_LIMIT_UPGRADE: many,
    PARLEY_RATE_LIMIT_UPGRADE_BURST: many,
    PARLEY_RATE_LIMIT_UPGRADE_ADDRESS: many,
    PARLEY_RATE_LIMIT_UPGRADE_ADDRESS_BURST: many,
    PARLEY_MAX_SOCKETS_PER_USER: '10000',
    PARLEY_CONSOLE_PORT: '0',
    PARLEY_CONSOLE_URL: 'http://localhost:1',
    PARLEY_CONSOLE_FOLDER: folder,
  };
  gateway = await startGateway({ env, identityTransport });
});
afterAll(async () => {
  flooder.stop();
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Microseconds, and the statuses that are not of the wanted kind. */
async function measure(
  entry: EntryPoint,
  asked: Asked,
  wanted: RegExp,
): Promise<{ cost: number; others: string[] }> {
  const { microseconds, statuses } = await flooder.costOf({
    ...asked,
    port: gateway.ports[entry.listener],
    requests: REQUESTS,
  });
  return { cost: microseconds, others: Object.keys(statuses).filter((status) => !wanted.test(status)) };
}

const rows = Object.entries(ENTRY_POINTS).flatMap(([place, entry]) =>
  Object.entries(entry.refused).map(([name, asked]) => [place, name, entry, asked] as const),
);

test.each(rows)('%s: a flood of %s costs no more than one of the cheapest served request', async (...row) => {
  const [, , entry, asked] = row;
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least > MOST; round++) {
    const served = await measure(entry, entry.served, /^[12]/);
    const refused = await measure(entry, asked, /^4|^101/);
    expect([served.others, refused.others]).toEqual([[], []]);
    least = Math.min(least, refused.cost / served.cost);
  }
  expect(least).toBeLessThanOrEqual(MOST);
});
