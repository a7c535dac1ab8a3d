import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRouterTransport } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ask } from './support/ask.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens } from './support/identity.ts';

// docs/console.md

const PAGE = '<meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>';
const ADMIN = '/admin/rpc/parley.identity.v1.AdminService';
const folder = mkdtempSync(path.join(tmpdir(), 'parley-console-'));
let gateway: TestGateway;
/** Its console has a port of its own. */
let deployed: TestGateway;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), PAGE);
  writeFileSync(path.join(folder, 'assets', 'app.1a2b.js'), 'start()');
  const identityTransport = createRouterTransport(({ service }) => {
    service(AdminService, { listApps: () => ({}) });
  });
  gateway = await startGateway({ identityTransport: knownTokens(), env: { PARLEY_CONSOLE_FOLDER: folder } });
  deployed = await startGateway({
    identityTransport,
    env: {
      PARLEY_CONSOLE_FOLDER: folder,
      PARLEY_ADMINISTRATION_ON_PUBLIC_PORT: 'false',
      PARLEY_CONSOLE_PORT: '0',
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await deployed.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the pages', () => {
  test.each(['/console/', '/console/apps/x', '/console/sign-in'])('%s has a nonce of its own', async (at) => {
    const nonces = new Set<string>();
    for (let time = 0; time < 2; time++) {
      const { status, text, headers } = await ask('GET', gateway.baseUrl + at, {
        headers: { accept: 'text/html' },
      });
      expect(status).toBe(200);
      const policy = String(headers['content-security-policy']);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(text).toBe(PAGE.replaceAll('__CSP_NONCE__', nonce));
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  test('assets are kept, and a missing one is not a page', async () => {
    const { status, text, headers } = await ask('GET', `${gateway.baseUrl}/console/assets/app.1a2b.js`);
    expect([status, text]).toEqual([200, 'start()']);
    expect(headers['cache-control']).toContain('immutable');
    const missing = await ask('GET', `${gateway.baseUrl}/console/assets/gone.js`, {
      headers: { accept: '*/*' },
    });
    expect(missing.status).toBe(404);
  });

  test.each([
    '/console/../secret.txt',
    '/console/..%2f..%2fetc/passwd',
    '/console/%zz',
    '/console//etc/passwd',
  ])('%s does not leave its folder', async (at) => {
    const { status, text } = await ask('GET', gateway.baseUrl + at);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('root:');
  });
});

describe('a deployment', () => {
  test('serves neither console nor administration to clients', async () => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
    for (const at of ['/console/', '/console/session', '/CONSOLE/session', `${ADMIN}/ListApps`]) {
      const method = at.startsWith('/admin') ? 'POST' : 'GET';
      const body = method === 'POST' ? '{}' : '';
      expect((await ask(method, deployed.baseUrl + at, { headers, body })).status).toBe(404);
    }
    const own = await ask('POST', `http://127.0.0.1:${deployed.ports.console}${ADMIN}/ListApps`, {
      headers,
      body: '{}',
    });
    expect(own.status).toBe(200);
    expect((await ask('GET', `http://127.0.0.1:${deployed.ports.console}/conversations`)).status).toBe(404);
  });

  test('by https, has a cookie for its own host alone, and takes no codes', async () => {
    const gateway = await startGateway({
      identityTransport: knownTokens(),
      env: { PARLEY_CONSOLE_URL: 'https://console.example.com', PARLEY_CONSOLE_PORT: '0' },
    });
    const at = `http://127.0.0.1:${gateway.ports.console}/console`;
    const own = { host: 'console.example.com', origin: 'https://console.example.com' };
    const out = await ask('POST', `${at}/sign-out`, { headers: own });
    expect(out.headers['set-cookie']?.[0]).toMatch(
      /^__Host-parley_console=; .*Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const code = await ask('POST', `${at}/sign-in/code`, { headers: own, body: '{"code":"x"}' });
    expect(code.status).toBe(403);
    expect((await ask('GET', `${at}/session`, { headers: { host: 'parley.example.com' } })).status).toBe(404);
    await gateway.stop();
  });

  test.each(['http://console.example.com', 'https://console.example.com/path', 'console', 'ftp://127.0.0.1'])(
    'does not start with its console at %s',
    async (url) => {
      const starting = startGateway({ identityTransport: knownTokens(), env: { PARLEY_CONSOLE_URL: url } });
      await expect(starting).rejects.toThrow('PARLEY_CONSOLE_URL');
    },
  );

  test('limits how often an address tries to sign in', async () => {
    const gateway = await startGateway({
      identityTransport: knownTokens(),
      env: { PARLEY_RATE_LIMIT_SIGN_IN: '1', PARLEY_RATE_LIMIT_SIGN_IN_BURST: '1' },
    });
    const tries = Array.from({ length: 4 }, () =>
      ask('POST', `${gateway.baseUrl}/console/sign-in/code`, {
        headers: { origin: gateway.baseUrl },
        body: '{}',
      }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses).toContain(429);
    await gateway.stop();
  });
});
