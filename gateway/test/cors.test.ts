import { createRouterTransport } from '@connectrpc/connect';
import { call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens } from './support/identity.ts';
import { upgrade } from './support/sockets.ts';

const identityTransport = knownTokens();
const messagingTransport = createRouterTransport(() => undefined);

let open: TestGateway;
let closed: TestGateway;

beforeAll(async () => {
  open = await startGateway({ identityTransport, messagingTransport });
  const env = { PARLEY_ALLOWED_ORIGINS: 'https://one.example, https://two.example' };
  closed = await startGateway({ identityTransport, messagingTransport, env });
});
afterAll(() => Promise.all([open.stop(), closed.stop()]));

const preflight = (gateway: TestGateway, origin: string, path = '/conversations') =>
  call('OPTIONS', gateway.baseUrl + path, { headers: { origin, 'access-control-request-method': 'POST' } });

test('a preflight is answered to any origin, also for the headers of the protocol', async () => {
  const { status, headers } = await preflight(open, 'https://app.example');
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
  expect(headers.get('access-control-allow-headers')).toBe(
    'accept, authorization, content-type, if-none-match, client-id, svc-xdk-version, upload-content-type, ' +
      'upload-content-length, upload-content-filename, upload-origin, x-http-method-override, idempotency-key, x-request-id, traceparent, tracestate',
  );
});

test('answers, errors included, may be read by the origin', async () => {
  for (const path of ['/ping', '/conversations', '/nowhere']) {
    const { headers } = await call('GET', open.baseUrl + path, {
      headers: { origin: 'https://app.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('vary')).toContain('Origin');
    expect(headers.get('access-control-expose-headers')).toBe(
      'Svc-Count, Link, Location, Retry-After, RateLimit, X-Request-Id',
    );
  }
});

test('a refused upgrade may be read by the origin too, and has the id of its request', async () => {
  const asked = { origin: 'https://app.example', 'x-request-id': 'mine' };
  const { status, headers } = await upgrade(open.baseUrl, 'wrong', asked);
  expect(status).toBe(401);
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-expose-headers': 'Svc-Count, Link, Location, Retry-After, RateLimit, X-Request-Id',
    vary: 'Origin',
    'www-authenticate': 'Svc realm="svc"',
    'x-request-id': 'mine',
  });
  const foreign = await upgrade(closed.baseUrl, 'wrong', { origin: 'https://evil.example' });
  expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
});

test('an answer to a request without an Origin has no CORS headers', async () => {
  const { headers } = await call('GET', `${open.baseUrl}/ping`);
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('a configured list admits its origins alone', async () => {
  expect((await preflight(closed, 'https://two.example')).headers.get('access-control-allow-origin')).toBe(
    'https://two.example',
  );
  expect(
    (await preflight(closed, 'https://evil.example')).headers.get('access-control-allow-origin'),
  ).toBeNull();
});

test.each(['/admin/rpc/parley.identity.v1.AdminService/ListApps', '/docs/errors'])(
  '%s is not for pages of other origins',
  async (path) => {
    const origin = 'https://app.example';
    expect((await preflight(open, origin, path)).headers.get('access-control-allow-methods')).toBeNull();
    const { headers } = await call('GET', open.baseUrl + path, { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  },
);
