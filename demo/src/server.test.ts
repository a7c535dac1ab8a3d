import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describeListener } from '@parley/kit/http/testing/listener-rules';
import { exportPKCS8, generateKeyPair } from 'jose';
import { ACTIONS } from './actions.ts';
import type { Config } from './config.ts';
import { createGuard } from './guard.ts';
import { createSigner } from './identity-token.ts';
import { createDemoServer } from './server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-demo-'));
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const config: Config = {
  port: 4000,
  baseUrl: 'http://127.0.0.1:8080',
  wireName: 'svc',
  appId: 'svc:///apps/development/1',
  appUrl: 'http://127.0.0.1:8080/apps/1',
  accessToken: 'secret',
  providerId: 'svc:///providers/2',
  keyId: 'svc:///keys/3',
  privateKeyPem: await exportPKCS8(privateKey),
  chatFolder: path.join(folder, 'chat'),
  stateFile: path.join(folder, 'state.json'),
};
const server = createDemoServer(config, await createSigner(config));
const { token } = createGuard(config);
const OWN = { host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000', 'x-page-token': token };
const LOGIN = '{"user":"ada","nonce":"a+b"}';

let port = 0;

beforeAll(async () => {
  port = await server.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Given = { method?: string; headers?: OutgoingHttpHeaders; body?: string };

async function ask(
  at: string,
  { method = 'POST', headers = OWN, body }: Given = {},
): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, path: at, method, headers });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

async function statusOf(at: string, given?: Given): Promise<number | undefined> {
  const response = await ask(at, given);
  response.resume();
  return response.statusCode;
}

test('the page of the chat may log in', async () => {
  const response = await ask('/demo/login', { body: LOGIN });
  expect(response.statusCode).toBe(200);
  expect(JSON.parse(await text(response))).toEqual({ identity_token: expect.stringMatching(/^ey/) });
});

const paths = Object.keys(ACTIONS);

test.each(paths)('%s is refused to a request that names the laptop by another name', async (at) => {
  for (const host of ['rebound.example:4000', '127.0.0.1:4001', '127.0.0.1', 'localhost.example:4000'])
    expect([host, await statusOf(at, { headers: { ...OWN, host }, body: LOGIN })]).toEqual([host, 421]);
});

test.each(paths)('%s is refused to pages of other origins', async (at) => {
  const others = ['https://site.example', 'null', 'http://127.0.0.1:4001', 'http://127.0.0.1:8080', ''];
  for (const origin of others)
    expect([origin, await statusOf(at, { headers: { ...OWN, origin }, body: LOGIN })]).toEqual([origin, 403]);
  const { origin: _, ...without } = OWN;
  expect(await statusOf(at, { headers: without, body: LOGIN })).toBe(403);
});

test.each([...paths, '/demo/none'])('what %s answers cannot be read by other pages', async (at) => {
  for (const [method, origin] of [
    ['OPTIONS', 'https://site.example'],
    ['POST', 'http://127.0.0.1:8080'],
    ['OPTIONS', 'http://127.0.0.1:8080'],
  ] as const) {
    const response = await ask(at, { method, headers: { ...OWN, origin } });
    response.resume();
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test.each(paths)('%s is refused without the token of the page', async (at) => {
  const { 'x-page-token': _, ...without } = OWN;
  expect(await statusOf(at, { headers: without, body: LOGIN })).toBe(403);
  expect(await statusOf(at, { headers: { ...OWN, 'x-page-token': `${token}x` }, body: LOGIN })).toBe(403);
});

test.each(paths)('%s is done by POST alone', async (at) => {
  for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'])
    expect([method, await statusOf(at, { method })]).toEqual([method, 405]);
});

test.each(paths)('%s refuses a body that says too little, or is none', async (at) => {
  for (const [body, status] of [
    ['{}', 422],
    ['{"user":7,"process":{}}', 422],
    ['[', 400],
    ['"text"', 400],
    [`{"user":"${'a'.repeat(70_000)}"}`, 400],
  ] as const)
    expect([body.slice(0, 30), await statusOf(at, { body })]).toEqual([body.slice(0, 30), status]);
});

test('programs and the pages of the platform may log in at /login, other pages may not', async () => {
  const { host } = OWN;
  const at = '/login?user=ada&nonce=n';
  const allowed = [undefined, 'http://127.0.0.1:8080', 'http://localhost:8080', 'http://localhost:4000'];
  for (const origin of allowed) {
    const response = await ask(at, { method: 'GET', headers: { host, ...(origin && { origin }) } });
    response.resume();
    expect([origin, response.statusCode]).toEqual([origin, 200]);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
  }
  const others: OutgoingHttpHeaders[] = [
    { host, origin: 'https://site.example' },
    { host, origin: 'null' },
    { host, 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of others)
    for (const closed of ['/login?user=ada&nonce=n', '/session?user=ada']) {
      const response = await ask(closed, { method: 'GET', headers });
      response.resume();
      expect([headers, response.statusCode]).toEqual([headers, 403]);
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    }
  expect(await statusOf(at, { method: 'GET', headers: { host: 'rebound.example' } })).toBe(421);
});

test('a process that the chat kills ends at once, and only those of the list can be killed', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const processes = ['gateway', 'postgres'].map((name) => ({ name, pid: child.pid }));
  writeFileSync(config.stateFile, JSON.stringify({ processes }));
  expect(await statusOf('/demo/kill', { body: '{"process":"postgres"}' })).toBe(422);
  expect(await statusOf('/demo/kill', { body: '{"process":"messaging"}' })).toBe(409);
  expect(child.signalCode).toBeNull();
  const ended = once(child, 'exit');
  expect(await statusOf('/demo/kill', { body: '{"process":"gateway"}' })).toBe(204);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await statusOf('/demo/kill', { body: '{"process":"gateway"}' })).toBe(409);
});

describe('the page', () => {
  const GET = { method: 'GET', headers: { host: '127.0.0.1:4000', 'accept-encoding': 'gzip' } };

  test('says that it is being built until it is, and is not told to a foreign name', async () => {
    const response = await ask('/demo', GET);
    expect(response.statusCode).toBe(503);
    expect(await text(response)).toContain('http-equiv="refresh"');
    expect(await statusOf('/demo', { method: 'GET', headers: { host: 'rebound.example:4000' } })).toBe(421);
  });

  test('has its data, its files, and a policy that admits nothing from elsewhere', async () => {
    mkdirSync(config.chatFolder);
    writeFileSync(path.join(config.chatFolder, 'index.html'), '<script type="application/json">{}</script>');
    writeFileSync(path.join(config.chatFolder, 'main-A1.js.gz'), gzipSync('script'));
    const page = await ask('/demo?user=ada', GET);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
    const pages = ['https://site.example', 'null', 'http://127.0.0.1:8080'];
    for (const origin of pages) {
      const read = await ask('/demo', { method: 'GET', headers: { ...GET.headers, origin } });
      read.resume();
      expect([origin, read.headers['access-control-allow-origin']]).toEqual([origin, undefined]);
    }
    const [, data = ''] = />(.*)<\//.exec(await text(page)) ?? [];
    expect(JSON.parse(data)).toEqual({ url: config.baseUrl, appId: config.appId, token });
    const script = await ask('/demo/assets/main-A1.js', GET);
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(gunzipSync(Buffer.concat(await script.toArray())).toString()).toBe('script');
    writeFileSync(path.join(config.chatFolder, 'worker.js.gz'), gzipSync('worker'));
    const worker = await ask('/demo/worker.js', GET);
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(gunzipSync(Buffer.concat(await worker.toArray())).toString()).toBe('worker');
    expect(await statusOf('/demo/assets/none.js', GET)).toBe(404);
    expect(await statusOf('/demo/assets/..%2findex.html', GET)).toBe(404);
  });
});

describeListener('demonstration', () => ({
  port,
  host: '127.0.0.1:4000',
  reads: [
    { target: '/demo' },
    { target: '/demo/worker.js' },
    { target: '/demo/assets/main-A1.js' },
    { target: '/login?user=ada&nonce=n' },
  ],
  unknown: ['/DEMO', '/demo/Assets/main-A1.js', '/Login?user=ada&nonce=n'],
  writes: [{ method: 'POST', target: '/login', body: LOGIN }, actionOf('/demo/login')],
  isApi: false,
  tagged: [],
  cached: ['/demo/assets/', '/demo/worker.js'],
}));

function actionOf(target: string) {
  const lines = Object.entries(OWN).map(([name, value]) => `${name}: ${value}`);
  return { method: 'POST', target, lines, body: LOGIN };
}
