import { MEDIA_TYPE } from './support/call.ts';
import { ask } from './support/ask.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { adminCall, startPlatform, type Platform } from './support/platform.ts';

// docs/console.md

const ADMIN = '/admin/rpc/parley.identity.v1.AdminService';
let platform: Platform;
/** A second gateway of the same services, whose console has a port of its own. */
let second: TestGateway;

beforeAll(async () => {
  platform = await startPlatform();
  second = await startGateway({
    env: {
      PARLEY_IDENTITY_ADDRESS: platform.identityAddress,
      PARLEY_ADMINISTRATION_ON_PUBLIC_PORT: 'false',
      PARLEY_CONSOLE_PORT: '0',
    },
  });
});
afterAll(async () => {
  await second.stop();
  await platform.stop();
});

const base = () => platform.gateway.baseUrl;
const origin = () => ({ origin: base() });
const consoleOfSecond = () => `http://127.0.0.1:${second.ports.console}`;

async function newCode(): Promise<string> {
  return String((await adminCall(base(), 'CreateSignInCode', {})).json['code']);
}

async function signIn(at = base()): Promise<{ cookie: string; set: string }> {
  const body = JSON.stringify({ code: await newCode() });
  const { status, headers } = await ask('POST', `${at}/console/sign-in/code`, {
    headers: { origin: at },
    body,
  });
  expect(status).toBe(204);
  const [set = ''] = headers['set-cookie'] ?? [];
  return { cookie: set.split(';')[0] ?? '', set };
}

describe('signing in by a code', () => {
  test('gives a cookie that no script, page or network gets', async () => {
    const { cookie, set } = await signIn();
    expect(set).toMatch(/^parley_console_\d+=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    const { status, json } = await ask('GET', `${base()}/console/session`, { headers: { cookie } });
    expect([status, json]).toMatchObject([
      200,
      {
        person: { issuer: 'local', subject: 'owner', name: 'Local owner' },
        roles: [{ role: 'owner', app_id: null }],
        sign_in: ['code'],
      },
    ]);
    expect(Date.parse(String(json['expires_at']))).toBeGreaterThan(Date.now());
  });

  test('works once for a code, at any gateway', async () => {
    const body = JSON.stringify({ code: await newCode() });
    const at = consoleOfSecond();
    const first = await ask('POST', `${at}/console/sign-in/code`, { headers: { origin: at }, body });
    expect(first.status).toBe(204);
    const again = await ask('POST', `${base()}/console/sign-in/code`, { headers: origin(), body });
    expect([again.status, again.json]).toMatchObject([
      401,
      { id: 'authentication_required', sign_in: ['code'] },
    ]);
  });

  test.each([
    ['{', 400],
    ['[]', 400],
    ['{}', 400],
    ['{"code":1}', 400],
    ['{"__proto__":{"code":"x"}}', 400],
    ['{"code":"wrong"}', 401],
    ['['.repeat(20_000), 400],
  ])('%.30s is refused', async (body, expected) => {
    const { status } = await ask('POST', `${base()}/console/sign-in/code`, { headers: origin(), body });
    expect(status === 422 ? 400 : status).toBe(expected);
  });

  test('a body of 10 MB is refused', async () => {
    const body = JSON.stringify({ code: 'x'.repeat(10_000_000) });
    const { status } = await ask('POST', `${base()}/console/sign-in/code`, { headers: origin(), body });
    expect(status).toBe(413);
  });
});

describe('a session', () => {
  test('without one, the answer says how to sign in', async () => {
    const { status, json, headers } = await ask('GET', `${base()}/console/session`);
    expect([status, json['sign_in']]).toEqual([401, ['code']]);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('ends by signing out, and a stolen cookie with it, at every gateway', async () => {
    const { cookie } = await signIn();
    const out = await ask('POST', `${base()}/console/sign-out`, { headers: { ...origin(), cookie } });
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']?.[0]).toMatch(/^parley_console_\d+=; Max-Age=0; Path=\//);
    expect((await ask('GET', `${base()}/console/session`, { headers: { cookie } })).status).toBe(401);
    const headers = { ...origin(), cookie, 'content-type': 'application/json' };
    expect((await ask('POST', `${base()}${ADMIN}/ListApps`, { headers, body: '{}' })).status).toBe(401);
  });

  test('is listed, and ended by its id', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const headers = { ...origin(), cookie: mine.cookie };
    const { json } = await ask('GET', `${base()}/console/session`, { headers: { cookie: other.cookie } });
    const { json: list } = await ask('GET', `${base()}/console/sessions`, { headers });
    const sessions = list['sessions'] as { id: string; is_current: boolean }[];
    expect(sessions.filter((session) => session.is_current)).toHaveLength(1);
    expect(sessions.map(({ id }) => id)).toContain(json['id']);
    const url = `${base()}/console/sessions/${String(json['id'])}`;
    expect((await ask('DELETE', url, { headers })).status).toBe(204);
    expect((await ask('DELETE', url, { headers })).status).toBe(404);
    expect(
      (await ask('GET', `${base()}/console/session`, { headers: { cookie: other.cookie } })).status,
    ).toBe(401);
  });
});

describe('the cookie counts for the console’s own pages alone', () => {
  let cookie: string;
  const listApps = (headers: Record<string, string | undefined>) =>
    ask('POST', `${base()}${ADMIN}/ListApps`, {
      headers: { 'content-type': 'application/json', cookie, ...headers },
      body: '{}',
    });
  beforeAll(async () => ({ cookie } = await signIn()));

  test('the administration API takes it with the console’s Origin', async () => {
    expect((await listApps(origin())).status).toBe(200);
  });

  test.each([
    undefined,
    'null',
    'http://127.0.0.1:1',
    'http://evil.example',
    'https://127.0.0.1',
    'http://127.0.0.1.evil.example',
  ])('Origin %s is refused', async (given) => {
    const { status, headers } = await listApps({ origin: given });
    expect(status).toBe(403);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const post = await ask('POST', `${base()}/console/sign-out`, { headers: { cookie, origin: given } });
    expect(post.status).toBe(403);
  });

  test('other pages read nothing', async () => {
    const other = { cookie, 'sec-fetch-site': 'same-site' };
    expect((await ask('GET', `${base()}/console/sessions`, { headers: other })).status).toBe(403);
    const foreign = { cookie, origin: 'http://evil.example' };
    expect((await ask('GET', `${base()}/console/session`, { headers: foreign })).status).toBe(403);
  });

  test.each(['/console/session', '/console/sign-in/code', `${ADMIN}/ListApps`])(
    '%s answers no preflight',
    async (at) => {
      const headers = { ...origin(), 'access-control-request-method': 'POST' };
      for (const url of [base() + at, consoleOfSecond() + at]) {
        const answer = await ask('OPTIONS', url, { headers });
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );

  test.each(['/conversations', '/messages/01990000-0000-7000-8000-000000000001'])(
    '%s never takes it',
    async (at) => {
      expect(
        (await ask('GET', base() + at, { headers: { ...origin(), cookie, accept: MEDIA_TYPE } })).status,
      ).toBe(401);
    },
  );

  test('the server API never takes it', async () => {
    const at = `${base()}/apps/${platform.app.uuid}/conversations`;
    expect((await ask('GET', at, { headers: { ...origin(), cookie, accept: MEDIA_TYPE } })).status).toBe(401);
  });

  test.each([
    { host: 'console.evil.example' },
    { 'x-forwarded-for': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
  ])('without encryption there is no console for %j', async (headers) => {
    expect((await ask('GET', `${base()}/console/session`, { headers: { cookie, ...headers } })).status).toBe(
      404,
    );
    expect((await listApps({ ...origin(), ...headers })).status).not.toBe(200);
  });
});
