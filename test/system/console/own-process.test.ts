import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildConsole } from '../../support/console/console.ts';
import { MEDIA_TYPE } from '../../support/http.ts';
import { metricsUrlOf } from '../../support/metrics-url.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

const START_MS = 120_000;
const RPC = '/admin/rpc/parley.identity.v1.AdminService';

type Json = Record<string, unknown>;
type Asked = { method?: string; headers?: Record<string, string>; body?: unknown };
type Answer = { status: number; headers: Headers; text: string; json: Json };

async function ask(url: string, expected: number, { method, headers, body }: Asked = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await response.text();
  expect([url, response.status, text.slice(0, 300)]).toEqual([url, expected, text.slice(0, 300)]);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Json) : {},
  };
}

/** A site as `npm run site` leaves it, of one page. */
function makeSite(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-site-'));
  mkdirSync(path.join(folder, 'errors'));
  writeFileSync(path.join(folder, 'index.html'), '<h1>Parley</h1>');
  writeFileSync(path.join(folder, 'errors', 'index.html'), '<h1>Errors of the site</h1>');
  writeFileSync(path.join(folder, '404.html'), '<h1>Not here</h1>');
  writeFileSync(path.join(folder, 'scripts.json'), '[]');
  return folder;
}

describe('the console’s server as a process of its own', () => {
  let here: OwnPlatform;
  let site: string;
  let server: string;

  beforeAll(async () => {
    buildConsole();
    site = makeSite();
    here = await ownPlatform({
      replicas: { 'console-server': 1 },
      env: { 'console-server': { PARLEY_SITE_FOLDER: site } },
    });
    const found = here.running.state.processes.find(({ name }) => name === 'console-server');
    server = `http://127.0.0.1:${found?.http_port}`;
  }, START_MS);
  afterAll(async () => {
    await here?.stop();
    rmSync(site, { recursive: true, force: true });
  });

  const admin = async (method: string, body: Json) => {
    const headers = { authorization: `Bearer ${here.adminToken}` };
    return (await ask(`${server}${RPC}/${method}`, 200, { headers, body })).json as Record<string, Json>;
  };
  const signIn = async () => {
    const { code } = await admin('CreateSignInCode', {});
    const headers = { origin: server };
    const answer = await ask(`${server}/console/sign-in/code`, 204, { headers, body: { code } });
    const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
    return { origin: server, cookie };
  };
  const createApp = async () =>
    String((await admin('CreateApp', { name: 'apart', environment: 'staging' }))['app']?.['app_uuid']);

  test('the administration API makes what gateways serve', async () => {
    const app = await createApp();
    const { token } = await admin('CreateAccessToken', { app_uuid: app, name: 'backend' });
    const headers = { accept: MEDIA_TYPE, authorization: `Bearer ${String(token)}` };
    await ask(`${here.baseUrl}/apps/${app}/users`, 200, { headers });
  });

  test('a wrong administration token is refused', async () => {
    const headers = { authorization: 'Bearer wrong-wrong-wrong-wrong' };
    const { json } = await ask(`${server}${RPC}/ListApps`, 401, { headers, body: {} });
    expect(json).toMatchObject({ code: 'unauthenticated' });
  });

  test('a person signs in, and gets a token with which gateways answer until the session ends', async () => {
    const app = await createApp();
    const person = await signIn();
    expect((await ask(`${server}/console/session`, 200, { headers: person })).json).toMatchObject({
      roles: [{ role: 'owner', app_id: null }],
      api_url: here.baseUrl,
    });
    await ask(`${server}${RPC}/ListApps`, 200, { headers: person, body: {} });
    const given = await ask(`${server}/console/app-token`, 200, {
      headers: person,
      body: { app_id: app, access: 'read' },
    });
    const headers = {
      accept: MEDIA_TYPE,
      authorization: `Bearer ${String(given.json['token'])}`,
      origin: server,
    };
    const users = `${here.baseUrl}/apps/${app}/users`;
    const read = await ask(users, 200, { headers });
    expect(read.headers.get('access-control-allow-origin')).toBe(server);
    await ask(`${server}/console/sign-out`, 204, { method: 'POST', headers: person });
    await ask(`${server}/console/session`, 401, { headers: person });
    const refused = async () => (await fetch(users, { headers })).status === 401 || undefined;
    await until('the gateway refuses the token', refused, 5_000);
  });

  test('the cookie counts for the console’s own pages alone', async () => {
    const { cookie } = await signIn();
    const headers = { cookie, origin: here.baseUrl };
    await ask(`${server}/console/sign-out`, 403, { method: 'POST', headers });
    const { json } = await ask(`${server}${RPC}/ListApps`, 403, { headers, body: {} });
    expect(json).toMatchObject({ code: 'permission_denied' });
  });

  test('a session outlives the process that began it', async () => {
    const person = await signIn();
    await here.killAndAwait('console-server');
    await ask(`${server}/console/session`, 200, { headers: person });
  });

  test('the pages may call the gateway, and no other host', async () => {
    const { headers, text } = await ask(`${server}/console/`, 200, { headers: { accept: 'text/html' } });
    expect(text).toContain('<!doctype html>');
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${here.baseUrl} `);
  });

  test('the documentation has its pages, also that about errors', async () => {
    const headers = { accept: 'text/html' };
    expect((await ask(`${server}/docs/`, 200, { headers })).text).toContain('Parley');
    const moved = await ask(`${server}/docs/errors`, 301, { headers });
    expect(moved.headers.get('location')).toBe('/docs/errors/');
    expect((await ask(`${server}/docs/errors/`, 200, { headers })).text).toContain('Errors of the site');
    expect((await ask(`${server}/docs/nothing`, 404, { headers })).text).toContain('Not here');
    expect((await ask(`${server}/docs/deployment.json`, 200)).json).toEqual({ login_url: null });
  });

  test.each(['/', '/ping', '/conversations', '/nonces', '/metrics'])(
    'it serves nothing of %s',
    async (at) => {
      expect((await ask(server + at, 404)).json).toMatchObject({ id: 'invalid_endpoint' });
    },
  );

  test.each(['/admin', `${RPC}/ListApps`, '/console', '/console/', '/console/session', '/docs', '/docs/'])(
    'the gateway serves nothing of %s',
    async (at) => {
      const headers = { accept: 'text/html', authorization: `Bearer ${here.adminToken}` };
      const { json } = await ask(here.baseUrl + at, 404, { headers });
      expect(json).toMatchObject({ id: 'invalid_endpoint' });
    },
  );

  test('the gateway says what its errors mean all the same', async () => {
    const { text } = await ask(`${here.baseUrl}/docs/errors`, 200);
    expect(text).toContain('id="invalid_endpoint"');
  });

  test('it has metrics and probes as other processes do', async () => {
    const metrics = metricsUrlOf(here.running, 'console-server');
    expect((await ask(metrics, 200)).text).toContain('http_server_seconds_count{');
    await ask(metrics.replace('/metrics', '/readyz'), 200);
  });
});
