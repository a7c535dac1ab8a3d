import { generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { freePort } from '@parley/testing';
import { returnPathOf } from '@parley/console-server/oidc/return-path';
import { ask, type Answer } from './support/ask.ts';
import { createBrowser, type Browser } from './support/browser.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { CLIENT, startIdentityProvider, type IdentityProvider } from './support/identity-provider.ts';
import { adminCall } from './support/platform.ts';
import { startServiceProcess, type ServiceProcess } from './support/service-process.ts';

// docs/console.md#sign-in-with-openid-connect

const CALLBACK = '/console/sign-in/oidc/callback';
const APP = '01990000-0000-7000-8000-000000000001';

let identity: ServiceProcess;
let idp: IdentityProvider;
/** Two gateways behind one address: the second takes what the first began. */
let gateways: [TestGateway, TestGateway];
let host: string;
let origin: string;

beforeAll(async () => {
  host = `localhost:${await freePort()}`;
  origin = `http://${host}`;
  idp = await startIdentityProvider({ redirectUris: [origin + CALLBACK] });
  identity = await startServiceProcess('identity', { PARLEY_NONCE_SECRET: 'the-nonce-secret-of-tests' });
  const env = {
    PARLEY_IDENTITY_ADDRESS: identity.address,
    PARLEY_CONSOLE_URL: origin,
    PARLEY_OIDC_ISSUER: idp.issuer,
    PARLEY_OIDC_CLIENT_ID: CLIENT.id,
    PARLEY_OIDC_CLIENT_SECRET: CLIENT.secret,
    PARLEY_OIDC_SCOPE: 'openid profile groups',
    PARLEY_OIDC_ROLES: `admins=owner,support=viewer,team=operator:${APP}`,
    PARLEY_RATE_LIMIT_FACTOR: '0',
  };
  gateways = [await startGateway({ env }), await startGateway({ env })];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await identity.stop();
  await idp.stop();
});

/** A request to a gateway by the name that browsers use. */
function at(gateway: TestGateway, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask('GET', gateway.baseUrl + path, { headers: { host, accept: 'text/html', ...headers } });
}

function cookieOf({ headers }: Answer, name: string): string {
  const line = headers['set-cookie']?.find((one) => one.startsWith(name)) ?? '';
  return line.split(';')[0] ?? '';
}

/** Begins at the first gateway, signs in at the identity provider, and gives what the browser then brings. */
async function goThrough(returnTo = '/console/apps?x=1', browser: Browser = createBrowser()) {
  const begun = await at(gateways[0], `/console/sign-in/oidc?return_to=${encodeURIComponent(returnTo)}`);
  expect(begun.status).toBe(302);
  const sealed = begun.headers['set-cookie']?.[0] ?? '';
  expect(sealed).toMatch(/^parley_sign_in_\d+=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  const address = new URL(begun.headers.location ?? '');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { url } = await browser.follow(address.href, origin);
  const back = new URL(url);
  return { path: back.pathname + back.search, cookie: sealed.split(';')[0] ?? '', verifier: sealed };
}

async function signIn(groups: string[]): Promise<Answer> {
  idp.person.groups = groups;
  const { path, cookie } = await goThrough();
  return at(gateways[1], path, { cookie });
}

const failed = (answer: Answer) => [answer.status, answer.headers.location];

test('a person signs in at any gateway, with the roles of the claim', async () => {
  const answer = await signIn(['support', 'team', 'other']);
  expect(failed(answer)).toEqual([303, '/console/apps?x=1']);
  const cookie = cookieOf(answer, 'parley_console');
  expect(answer.headers['set-cookie']?.join()).toMatch(/parley_sign_in_\d+=; Max-Age=0/);
  const { status, json } = await at(gateways[0], '/console/session', { cookie });
  expect([status, json]).toMatchObject([
    200,
    {
      person: { issuer: idp.issuer, subject: 'ada', name: 'Ada' },
      roles: [
        { role: 'viewer', app_id: null },
        { role: 'operator', app_id: APP },
      ],
      sign_in: ['code', 'oidc'],
    },
  ]);
  const left = Date.parse(String(json['expires_at'])) - Date.now();
  expect(left).toBeLessThanOrEqual(3_600_000);
});

test('a person without a role does not get in', async () => {
  const answer = await signIn(['other']);
  expect(failed(answer)).toEqual([303, '/console/sign-in?error=no_role']);
  expect(cookieOf(answer, 'parley_console')).toBe('');
});

describe('an ID token with', () => {
  afterEach(() => {
    idp.replaceIdToken = undefined;
  });

  /** The parts of a token: header, claims, signature. */
  const changed = (idToken: string, change: (parts: [string, string, string]) => string[]) =>
    change(idToken.split('.') as [string, string, string]).join('.');
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claimsOf = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as JWTPayload;
  /** A token with these claims that somebody else signed under the id of the provider's key. */
  async function signed(idToken: string): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    const claims = claimsOf(idToken.split('.')[1] ?? '');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey);
  }

  test.each<[string, (idToken: string) => string | Promise<string>]>([
    ['the signature of another key', signed],
    [
      'changed claims',
      (token) =>
        changed(token, ([head, claims, signature]) => [
          head,
          encoded({ ...claimsOf(claims), groups: ['admins'] }),
          signature,
        ]),
    ],
    ['an empty signature', (token) => changed(token, ([head, claims]) => [head, claims, ''])],
    ['no algorithm', (token) => changed(token, ([, claims]) => [encoded({ alg: 'none' }), claims, ''])],
    [
      'an unknown key',
      (token) => changed(token, ([, ...rest]) => [encoded({ alg: 'RS256', kid: 'x' }), ...rest]),
    ],
  ])('%s lets nobody in', async (_, replace) => {
    idp.replaceIdToken = replace;
    const answer = await signIn(['support']);
    expect(failed(answer)).toEqual([303, '/console/sign-in?error=sign_in_expired']);
    expect(cookieOf(answer, 'parley_console')).toBe('');
  });

  test('the signature of the provider does', async () => {
    idp.replaceIdToken = (idToken) => idToken;
    expect(cookieOf(await signIn(['support']), 'parley_console')).not.toBe('');
  });
});

test('the audit log has who got in by which session, and who did not', async () => {
  await signIn(['other']);
  await signIn(['admins']);
  const { json } = await adminCall(gateways[0].baseUrl, 'ListAuditEntries', {});
  const entries = json['entries'] as Record<string, unknown>[];
  const person = { actor_issuer: idp.issuer, actor_subject: idp.person.sub };
  expect(entries.find(({ action }) => action === 'console_session.opened_by_oidc')).toMatchObject(person);
  expect(entries.filter(({ action }) => action === 'sign_in.refused')).toEqual(
    expect.arrayContaining([expect.objectContaining({ ...person, outcome: 'refused', code: 'no_role' })]),
  );
});

describe('coming back from the identity provider', () => {
  const expired = [303, '/console/sign-in?error=sign_in_expired'];

  test('works once', async () => {
    idp.person.groups = ['admins'];
    const { path, cookie } = await goThrough();
    expect((await at(gateways[0], path, { cookie })).headers.location).toBe('/console/apps?x=1');
    expect(failed(await at(gateways[1], path, { cookie }))).toEqual(expired);
  });

  test('needs the cookie of the browser that began', async () => {
    const [mine, other] = [await goThrough(), await goThrough()];
    expect(failed(await at(gateways[0], mine.path))).toEqual(expired);
    expect(failed(await at(gateways[0], mine.path, { cookie: other.cookie }))).toEqual(expired);
    const changed = `${mine.cookie.slice(0, -2)}xx`;
    expect(failed(await at(gateways[0], mine.path, { cookie: changed }))).toEqual(expired);
  });

  test('needs the state that it began with', async () => {
    const { path, cookie } = await goThrough();
    expect(failed(await at(gateways[0], path.replace(/state=[^&]+/, 'state=x'), { cookie }))).toEqual(
      expired,
    );
    expect(failed(await at(gateways[0], CALLBACK, { cookie }))).toEqual(expired);
  });

  test('with a refusal says so', async () => {
    const { path, cookie } = await goThrough();
    const state = new URL(path, origin).searchParams.get('state') ?? '';
    const refused = `${CALLBACK}?error=access_denied&state=${state}&iss=${encodeURIComponent(idp.issuer)}`;
    expect(failed(await at(gateways[0], refused, { cookie }))).toEqual([
      303,
      '/console/sign-in?error=sign_in_refused',
    ]);
  });
});

test('the session at the identity provider is ended there, after a question', async () => {
  const answer = await at(gateways[0], '/console/sign-out/oidc');
  expect(answer.status).toBe(303);
  const address = new URL(answer.headers.location ?? '');
  expect(address.origin).toBe(idp.issuer);
  expect(address.searchParams.get('client_id')).toBe(CLIENT.id);
  const page = await ask('GET', address.href, { headers: { accept: 'text/html' } });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form')]);
});

test('the cookie of a sign-in is no session', async () => {
  const { cookie } = await goThrough();
  const value = cookie.slice(cookie.indexOf('=') + 1);
  const session = `parley_console_${host.split(':')[1]}=${value}`;
  expect((await at(gateways[0], '/console/session', { cookie: session })).status).toBe(401);
});

test('an identity provider that does not answer is said to be unavailable', async () => {
  const gateway = await startGateway({
    env: { PARLEY_IDENTITY_ADDRESS: identity.address, PARLEY_OIDC_ISSUER: 'http://127.0.0.1:1' },
  });
  const answer = await ask('GET', `${gateway.baseUrl}/console/sign-in/oidc`);
  expect(failed(answer)).toEqual([303, '/console/sign-in?error=identity_provider_unavailable']);
  const leaving = await ask('GET', `${gateway.baseUrl}/console/sign-out/oidc`);
  expect(failed(leaving)).toEqual([303, '/console/sign-in?error=identity_provider_unavailable']);
  await gateway.stop();
});

test.each([
  ['/console/apps/x?y=1#z', '/console/apps/x?y=1#z'],
  ['/console/', '/console/'],
  ['https://evil.example/console/', '/console/'],
  ['//evil.example/console/', '/console/'],
  ['/console/../../admin', '/console/'],
  ['/console/\\evil.example', '/console//evil.example'],
  ['/console/sign-in/oidc', '/console/'],
  ['/conversations', '/console/'],
  [['/console/x'], '/console/'],
  [undefined, '/console/'],
])('after sign-in, return_to %j leads to %s', (given, expected) => {
  expect(returnPathOf(given, 'https://console.example.com')).toBe(expected);
});
