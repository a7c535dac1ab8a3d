import { freePort } from '@parley/testing';
import { ask, type Answer } from './support/ask.ts';
import { createBrowser } from './support/browser.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { CLIENT, startIdentityProvider, type IdentityProvider } from './support/identity-provider.ts';
import { adminCall } from './support/platform.ts';
import { startServiceProcess, type ServiceProcess } from './support/service-process.ts';

// docs/operations.md#rotate-a-secret

const OLD = 'the-old-administration-token';
const NEW = 'the-new-administration-token';
const OLD_SECRET = 'the-old-client-secret';
const NEW_SECRET = 'the-new-client-secret';
const CALLBACK = '/console/sign-in/oidc/callback';

let identity: ServiceProcess;
let idp: IdentityProvider;
let host: string;
let origin: string;

beforeAll(async () => {
  host = `localhost:${await freePort()}`;
  origin = `http://${host}`;
  idp = await startIdentityProvider({ redirectUris: [origin + CALLBACK] });
  idp.person.groups = ['admins'];
  identity = await startServiceProcess('identity', { PARLEY_NONCE_SECRET: 'the-nonce-secret-of-tests' });
});
afterAll(async () => {
  await identity.stop();
  await idp.stop();
});

/** Runs `act` with gateways that share an address, each with settings of its own. */
async function withGateways(
  settings: readonly Record<string, string>[],
  act: (gateways: TestGateway[]) => Promise<void>,
): Promise<void> {
  const shared = {
    PARLEY_IDENTITY_ADDRESS: identity.address,
    PARLEY_CONSOLE_URL: origin,
    PARLEY_OIDC_ISSUER: idp.issuer,
    PARLEY_OIDC_CLIENT_ID: CLIENT.id,
    PARLEY_OIDC_CLIENT_SECRET: CLIENT.secret,
    PARLEY_OIDC_SCOPE: 'openid profile groups',
    PARLEY_OIDC_ROLES: 'admins=owner',
    PARLEY_RATE_LIMIT_FACTOR: '0',
  };
  const gateways: TestGateway[] = [];
  try {
    for (const own of settings) gateways.push(await startGateway({ env: { ...shared, ...own } }));
    await act(gateways);
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
}

/** A request to a gateway by the name that browsers use. */
function at(gateway: TestGateway, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask('GET', gateway.baseUrl + path, { headers: { host, accept: 'text/html', ...headers } });
}

/** Signs in, beginning at one gateway and coming back to another; gives the page that the person sees then. */
async function signIn(first: TestGateway, second: TestGateway): Promise<string | undefined> {
  const begun = await at(first, '/console/sign-in/oidc?return_to=/console/apps');
  const cookie = begun.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { url } = await createBrowser().follow(begun.headers.location ?? '', origin);
  const back = new URL(url);
  return (await at(second, back.pathname + back.search, { cookie })).headers.location;
}

const SIGNED_IN = '/console/apps';
const EXPIRED = '/console/sign-in?error=sign_in_expired';

describe('while the administration token is replaced', () => {
  const before = { PARLEY_ADMIN_TOKEN: OLD };
  const accepting = { PARLEY_ADMIN_TOKEN: OLD, PARLEY_ADMIN_ACCEPTED_TOKENS: NEW };
  const replaced = { PARLEY_ADMIN_TOKEN: NEW, PARLEY_ADMIN_ACCEPTED_TOKENS: OLD };
  const after = { PARLEY_ADMIN_TOKEN: NEW };

  test.each([
    ['first rollout', before, accepting],
    ['second rollout', accepting, replaced],
    ['third rollout', replaced, after],
  ])('in the %s a sign-in that one gateway began ends at the other', async (_, earlier, later) => {
    await withGateways([earlier, later], async ([first, second]) => {
      expect(await signIn(first!, second!)).toBe(SIGNED_IN);
      expect(await signIn(second!, first!)).toBe(SIGNED_IN);
    });
  });

  test('every gateway takes the values that are listed, and no other', async () => {
    await withGateways([before, accepting, replaced, after], async (gateways) => {
      const list = async ({ baseUrl }: TestGateway, token: string) =>
        (await adminCall(baseUrl, 'ListApps', {}, token)).status;
      const statuses = await Promise.all(
        gateways.map((gateway) => Promise.all([OLD, NEW, `${NEW}x`].map((token) => list(gateway, token)))),
      );
      expect(statuses).toEqual([
        [200, 401, 401],
        [200, 200, 401],
        [200, 200, 401],
        [401, 200, 401],
      ]);
    });
  });

  test('a sign-in that a removed value sealed is refused', async () => {
    await withGateways([before, after], async ([first, second]) => {
      expect(await signIn(first!, second!)).toBe(EXPIRED);
    });
  });
});

describe('while the client secret of the console is replaced', () => {
  let switched: IdentityProvider;
  let unswitched: IdentityProvider;

  beforeAll(async () => {
    const options = { redirectUris: [origin + CALLBACK] };
    unswitched = await startIdentityProvider({ ...options, clientSecret: OLD_SECRET });
    switched = await startIdentityProvider({ ...options, clientSecret: NEW_SECRET });
    for (const { person } of [unswitched, switched]) person.groups = ['admins'];
  });
  afterAll(async () => {
    await unswitched.stop();
    await switched.stop();
  });

  test.each([
    ['the old secret alone', [OLD_SECRET], [SIGNED_IN, EXPIRED]],
    ['the new secret accepted', [OLD_SECRET, NEW_SECRET], [SIGNED_IN, SIGNED_IN]],
    ['the old secret accepted', [NEW_SECRET, OLD_SECRET], [SIGNED_IN, SIGNED_IN]],
    ['the new secret alone', [NEW_SECRET], [EXPIRED, SIGNED_IN]],
  ])('with %s a person signs in before or after the provider has switched', async (_, secrets, expected) => {
    const [secret = '', ...accepted] = secrets;
    const settings = [unswitched, switched].map(({ issuer }) => ({
      PARLEY_OIDC_ISSUER: issuer,
      PARLEY_OIDC_CLIENT_SECRET: secret,
      PARLEY_OIDC_ACCEPTED_CLIENT_SECRETS: accepted.join(),
    }));
    await withGateways(settings, async (gateways) => {
      const pages = await Promise.all(gateways.map((gateway) => signIn(gateway, gateway)));
      expect(pages).toEqual(expected);
    });
  });
});
