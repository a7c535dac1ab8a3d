import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describeWith, findChromium, freePort, until } from '@parley/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { CLIENT, startIdentityProvider, type IdentityProvider } from './support/identity-provider.ts';
import { adminCall, startPlatform, type Platform } from './support/platform.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { startTurnsProxy, type TurnsProxy } from './support/turns-proxy.ts';

// docs/console.md

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const CALLBACK = '/console/sign-in/oidc/callback';
const ADMIN = '/admin/rpc/parley.identity.v1.AdminService';
const CASE_MS = 120_000;
const PAGE_MS = 60_000;

describeWith('chromium', 'the console at two gateways, with sign-in by OpenID Connect', () => {
  let origin: string;
  let idp: IdentityProvider;
  let platform: Platform;
  let second: TestGateway;
  let proxy: TurnsProxy;
  let attacker: Server;
  let browser: Browser;

  beforeAll(async () => {
    const built = spawnSync(process.execPath, [path.join(REPOSITORY, 'scripts/console.ts')], {
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`the console was not built: ${built.stderr}`);
    const port = await freePort();
    origin = `http://localhost:${port}`;
    idp = await startIdentityProvider({ redirectUris: [origin + CALLBACK] });
    const env = {
      PARLEY_PUBLIC_URL: origin,
      PARLEY_CONSOLE_URL: origin,
      PARLEY_CONSOLE_FOLDER: path.join(REPOSITORY, 'console/dist'),
      PARLEY_OIDC_ISSUER: idp.issuer,
      PARLEY_OIDC_CLIENT_ID: CLIENT.id,
      PARLEY_OIDC_CLIENT_SECRET: CLIENT.secret,
      PARLEY_OIDC_SCOPE: 'openid profile groups',
      PARLEY_OIDC_ROLES: 'support=viewer,staff=operator,admins=owner',
      PARLEY_RATE_LIMIT_FACTOR: '0',
    };
    platform = await startPlatform({ env });
    const { identityAddress, messagingAddress } = platform;
    second = await startGateway({
      env: { ...env, PARLEY_IDENTITY_ADDRESS: identityAddress, PARLEY_MESSAGING_ADDRESS: messagingAddress },
    });
    proxy = await startTurnsProxy(port, [platform.gateway.baseUrl, second.baseUrl]);
    attacker = await startAttacker(origin);
    browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      args: ['--no-sandbox', '--headless'],
    });
    await platform.app.server('POST', '/users/ada/identity', { body: { display_name: 'Ada' } });
  }, CASE_MS);
  afterAll(async () => {
    await browser?.close();
    attacker?.close();
    await proxy?.stop();
    await second?.stop();
    await platform?.stop();
    await idp?.stop();
  });

  /** Signs a person in with the button of the page; gives it, and the address by which the identity provider sent it back. */
  async function signIn(groups: string[], at = '/console/'): Promise<{ page: Page; back: string }> {
    idp.person.groups = groups;
    const context = await browser.newContext();
    context.setDefaultTimeout(PAGE_MS);
    const page = await context.newPage();
    let back = '';
    page.on('request', (request) => {
      if (request.url().startsWith(origin + CALLBACK)) back = request.url();
    });
    await page.goto(origin + at);
    await page.getByRole('link', { name: 'Sign in with your identity provider' }).click();
    return { page, back: await until(() => back || undefined, { withinMs: PAGE_MS, what: 'back' }) };
  }

  const user = () => `/console/apps/${platform.app.uuid}/users/ada`;
  const keys = () => `/console/apps/${platform.app.uuid}/keys`;
  const isOffered = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).isVisible();

  /** The status of a call of the administration API by the page itself. */
  function callIn(page: Page, method: string, request: object): Promise<number> {
    return page.evaluate(
      async ([url, body]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(url, { method: 'POST', headers, body })).status;
      },
      [`${ADMIN}/${method}`, JSON.stringify(request)] as const,
    );
  }

  test(
    'each role is offered what it may do, and the API refuses the rest',
    async () => {
      const suspended = { app_uuid: platform.app.uuid, user_id: 'ada' };
      const roles = [
        { group: 'support', suspends: false, creates: false },
        { group: 'staff', suspends: true, creates: false },
        { group: 'admins', suspends: true, creates: true },
      ];
      for (const { group, suspends, creates } of roles) {
        const { page } = await signIn([group], user());
        await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
        await page.getByText('The user is logged in nowhere').waitFor();
        const mayDo = [
          await isOffered(page, 'Sign out everywhere'),
          await callIn(page, 'SuspendUser', suspended),
        ];
        expect([group, ...mayDo]).toEqual([group, suspends, suspends ? 200 : 403]);
        if (suspends) expect(await callIn(page, 'ResumeUser', suspended)).toBe(200);
        await page.goto(origin + keys());
        await page.getByText('backend').first().waitFor();
        const app = { name: `by ${group}`, environment: 'staging' };
        const mayMake = [await isOffered(page, 'New provider'), await callIn(page, 'CreateApp', app)];
        expect([group, ...mayMake]).toEqual([group, creates, creates ? 200 : 403]);
        await page.context().close();
      }
      expect(proxy.counts.every((count) => count > 0)).toBe(true);
    },
    CASE_MS,
  );

  test(
    'a person without a role, and a replayed code, do not get in and learn why',
    async () => {
      const stranger = await signIn(['other']);
      await stranger.page.getByText('You have no role in this console.').waitFor();
      await stranger.page.context().close();
      const { page, back } = await signIn(['admins']);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.getByRole('link', { name: 'Ada' }).click();
      await page.getByRole('button', { name: 'Sign out' }).first().click();
      await page.getByRole('link', { name: 'Sign in with your identity provider' }).waitFor();
      await page.getByRole('link', { name: 'sign out there too' }).waitFor();
      expect(await callIn(page, 'ListApps', {})).toBe(401);
      await page.goto(back);
      await page.getByText('The sign-in took too long.').waitFor();
      await page.context().close();
    },
    CASE_MS,
  );

  test.each(['localhost', 'sibling.localhost'])(
    'pages of another port of %s neither act in the name of a person nor frame the console',
    async (name) => {
      const { page } = await signIn(['admins']);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      const foreign = await page.context().newPage();
      await foreign.goto(`http://${name}:${(attacker.address() as AddressInfo).port}/`);
      await foreign.getByText('The attacks are over').waitFor();
      const frame = foreign.frames().find((one) => one !== foreign.mainFrame());
      expect(frame?.url()).toBe('chrome-error://chromewebdata/');
      expect(await callIn(page, 'ListApps', {})).toBe(200);
      const { json } = await adminCall(platform.gateway.baseUrl, 'ListApps', {});
      expect(JSON.stringify(json)).not.toContain('forged');
      await page.context().close();
    },
    CASE_MS,
  );
});

/** A page that signs out and creates an application, as far as browsers let it, and shows the console in a frame. */
async function startAttacker(origin: string): Promise<Server> {
  const page = `<!doctype html><body><iframe src="${origin}/console/"></iframe><script>
    const body = JSON.stringify({ name: 'forged', environment: 'staging' });
    const url = '${origin}${ADMIN}/CreateApp';
    const common = { method: 'POST', credentials: 'include', body };
    const framed = new Promise((resolve) => document.querySelector('iframe').addEventListener('load', resolve));
    Promise.allSettled([
      fetch(url, { ...common, headers: { 'content-type': 'application/json' } }),
      fetch(url, { ...common, mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
      fetch('${origin}/console/sign-out', { ...common, mode: 'no-cors' }),
      framed,
    ]).then(() => document.body.append('The attacks are over'));
  </script></body>`;
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(page));
  server.listen(0);
  await once(server, 'listening');
  return server;
}
