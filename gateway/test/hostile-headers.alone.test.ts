import { request, Server, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createRouterTransport } from '@connectrpc/connect';
import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import { MEDIA_TYPE } from './support/call.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';
import { hostileValue, PUMPS } from './support/hostile-headers.ts';
import { ACCESS_TOKEN, APP_ID, knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { createPages } from './support/pages.ts';

/** With the other headers, as much as the gateway takes. */
const LENGTH = 31_000;
/** Processor time for one request to each door: a linear parser takes a twentieth of that, a quadratic one seconds. */
const ALLOWED_MS = 750;

/** Headers whose length the server has limited already, of which the presence alone counts, or of which the end alone is read. */
const UNBOUNDED = new Set([
  ...['content-length', 'transfer-encoding', 'connection', 'expect', 'access-control-request-method'],
  ...['forwarded', 'x-forwarded-for'],
]);

type Door = { method: string; at: string; headers: Record<string, string> };

const session = { accept: MEDIA_TYPE, authorization: `Svc session-token="${SESSION_TOKEN}"` };
const server = { accept: MEDIA_TYPE, authorization: `Bearer ${ACCESS_TOKEN}`, 'accept-encoding': 'gzip' };
const socket = {
  ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'svc-3.1' },
};
const page = { accept: 'text/html', 'accept-encoding': 'br, gzip' };
const DOORS: readonly Door[] = [
  { method: 'GET', at: '/', headers: {} },
  { method: 'POST', at: '/nonces', headers: { accept: MEDIA_TYPE } },
  { method: 'GET', at: '/conversations', headers: session },
  { method: 'POST', at: '/content', headers: { ...session, 'idempotency-key': 'a' } },
  { method: 'POST', at: `/apps/${APP_ID}/conversations`, headers: { ...server, 'if-none-match': '"a"' } },
  { method: 'GET', at: '/openapi.json', headers: page },
  { method: 'GET', at: '/docs/assets/app.1a2b.js', headers: page },
  { method: 'GET', at: '/docs/nothing', headers: page },
  { method: 'GET', at: '/console/session', headers: { cookie: 'a=b' } },
  { method: 'GET', at: '/console/apps', headers: page },
  {
    ...{ method: 'POST', at: '/admin/rpc/parley.identity.v1.AdminService/ListApps' },
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
  },
  { method: 'GET', at: '/websocket', headers: socket },
];

const { folder, remove } = createPages({ 'assets/app.1a2b.js': 'x' });
const read = new Set<string>();
const emit = Reflect.get(Server.prototype, 'emit') as Server['emit'];
let gateway: TestGateway;

/** Notes which headers of a request anything in this process reads. */
function noteReads(req: IncomingMessage): void {
  const headers = req.headers;
  const get = (target: IncomingHttpHeaders, name: string | symbol): unknown => {
    if (typeof name === 'string') read.add(name);
    return Reflect.get(target, name);
  };
  Object.defineProperty(req, 'headers', { configurable: true, value: new Proxy(headers, { get }) });
}

beforeAll(async () => {
  gateway = await startGateway({
    identityTransport: knownTokens(),
    messagingTransport: createRouterTransport(() => undefined),
    contentTransport: createRouterTransport(() => undefined),
    env: {
      PARLEY_RATE_LIMIT_FACTOR: '0',
      PARLEY_TRUSTED_PROXIES: '1',
      PARLEY_SITE_FOLDER: folder,
      PARLEY_CONSOLE_FOLDER: folder,
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  remove();
});

/** The status of the answer; 101 of a socket, which is closed at once. */
function send({ method, at, headers }: Door): Promise<number> {
  const asked = request(gateway.baseUrl + at, { method, headers, agent: false });
  return new Promise((resolve, reject) => {
    asked.on('upgrade', (_answer, stream) => {
      stream.destroy();
      resolve(101);
    });
    asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)));
    asked.on('error', reject).end();
  });
}

/** Processor time of this process, in milliseconds, for one request to each door with a header. */
async function costOf(header: Record<string, string>): Promise<number> {
  const began = process.cpuUsage();
  const doors = DOORS.map((door) => ({ ...door, headers: { ...door.headers, ...header } }));
  // A header that ends the connection before an answer, such as a bad length, costs what it costs.
  await Promise.allSettled(doors.map(send));
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

test('every header that anything reads has a limit', async () => {
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
    if (args[0] && ['request', 'upgrade'].includes(event)) noteReads(args[0] as IncomingMessage);
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  } as Server['emit'];
  try {
    await Promise.all(DOORS.map(send));
  } finally {
    Server.prototype.emit = emit;
  }
  expect([...read]).toEqual(
    expect.arrayContaining(['accept', 'authorization', 'cookie', 'host', 'origin', 'sec-websocket-protocol']),
  );
  const unknown = [...read].filter((name) => !Object.hasOwn(HEADER_LIMITS, name) && !UNBOUNDED.has(name));
  expect(unknown).toEqual([]);
});

const NAMES = [...new Set([...Object.keys(HEADER_LIMITS), ...UNBOUNDED, 'x-anything'])].filter(
  (name) => !['content-length', 'transfer-encoding', 'expect', 'connection', 'upgrade'].includes(name),
);

test.each(NAMES)('no value of %s holds the gateway', async (name) => {
  const slow: [pump: string, ms: number][] = [];
  for (const pump of PUMPS) {
    const cost = await costOf({ [name]: hostileValue(name, pump, { length: LENGTH }) });
    if (cost <= ALLOWED_MS) continue;
    // It may have been the collection of garbage. No cache has the other value.
    const again = await costOf({ [name]: hostileValue(name, pump, { length: LENGTH, end: 'y' }) });
    if (again > ALLOWED_MS) slow.push([pump, again]);
  }
  expect(slow).toEqual([]);
});
