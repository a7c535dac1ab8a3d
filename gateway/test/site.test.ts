import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { createRouterTransport } from '@connectrpc/connect';
import { gzipSync } from 'node:zlib';
import { call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens } from './support/identity.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-site-'));
const current = path.join(folder, 'current');
const HASH = `'sha256-${createHash('sha256').update('inline()').digest('base64')}'`;
const HTML: Record<string, string> = { accept: 'text/html' };
let gateway: TestGateway;

/** A site whose pages name it. */
function build(name: string): void {
  const files: Record<string, string | Buffer> = {
    'index.html': `front of ${name}`,
    '404.html': 'no such page',
    'errors/index.html': `errors of ${name}`,
    'guides/index.html': 'guides',
    'assets/app.1a2b.js': `"plain"`,
    'assets/app.1a2b.js.gz': gzipSync('"compressed"'),
    'scripts.json': JSON.stringify([HASH]),
  };
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, name, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  symlinkSync(name, `${current}.new`);
  renameSync(`${current}.new`, current);
}

beforeAll(async () => {
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  const transports = {
    identityTransport: knownTokens(),
    messagingTransport: createRouterTransport(() => undefined),
  };
  const env = { PARLEY_SITE_FOLDER: current, PARLEY_SITE_LOGIN_URL: 'http://127.0.0.1:4711/' };
  gateway = await startGateway({ ...transports, env });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (at: string, headers: Record<string, string> = HTML) =>
  call('GET', gateway.baseUrl + at, { headers });

/** Of a path and headers that are sent as they are, unlike fetch's. */
async function getRaw(at: string, headers = HTML): Promise<{ status: number | undefined; text: string }> {
  const { hostname, port } = new URL(gateway.baseUrl);
  const request = httpRequest({ hostname, port, path: at, headers }).end();
  const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  return { status: response.statusCode, text: await textOf(response) };
}

test('before it is built, pages say so and errors are explained all the same', async () => {
  const { status, text, headers } = await get('/docs/');
  expect(status).toBe(503);
  expect(text).toContain('is being built');
  expect(headers.get('retry-after')).toBe('3');
  const style = text.split('<style>')[1]?.split('</style>')[0] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
  expect((await get('/docs/errors')).text).toContain('<section id="invalid_header">');
});

describe('once it is built', () => {
  beforeAll(() => build('first'));

  test('pages are served with a policy that admits known scripts and addresses alone', async () => {
    const { status, text, headers } = await get('/docs/');
    expect([status, text]).toEqual([200, 'front of first']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'self' ${HASH};`);
    const addresses = `${gateway.baseUrl} http://content.test http://127.0.0.1:4711`;
    expect(policy).toContain(`connect-src 'self' ${addresses};`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('pages are checked for changes, assets are kept', async () => {
    const page = await get('/docs/guides/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const etag = page.headers.get('etag') ?? '';
    expect((await getRaw('/docs/guides/', { ...HTML, 'if-none-match': etag })).status).toBe(304);
    const asset = await get('/docs/assets/app.1a2b.js', {});
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('clients that take it get the compressed copy', async () => {
    const packed = await get('/docs/assets/app.1a2b.js', { 'accept-encoding': 'gzip' });
    expect([packed.text, packed.headers.get('content-encoding')]).toEqual(['"compressed"', 'gzip']);
    expect(packed.headers.get('content-type')).toMatch(/^text\/javascript; charset=utf-8$/i);
    expect(packed.headers.get('vary')).toContain('Accept-Encoding');
    expect((await get('/docs/assets/app.1a2b.js', { 'accept-encoding': 'identity' })).text).toBe('"plain"');
  });

  test.each([
    ['/docs', '/docs/'],
    ['/docs/guides', '/docs/guides/'],
  ])('%s leads to %s', async (from, to) => {
    const { status, headers } = await call('GET', gateway.baseUrl + from, { headers: HTML });
    expect([status, headers.get('location')]).toEqual([200, null]);
    const response = await fetch(gateway.baseUrl + from, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, to]);
  });

  test('the page about errors is the one of the site', async () => {
    const { text, headers } = await get('/docs/errors');
    expect(text).toBe('errors of first');
    expect(headers.get('content-security-policy')).toContain(HASH);
    expect((await get('/docs/errors/')).text).toBe('errors of first');
  });

  test('an unknown address has a page for people and an error for programs', async () => {
    const page = await get('/docs/nowhere');
    expect([page.status, page.text]).toEqual([404, 'no such page']);
    const { status, json } = await get('/docs/nowhere', {});
    expect([status, json['id']]).toEqual([404, 'invalid_endpoint']);
    expect((await call('POST', `${gateway.baseUrl}/docs/`)).status).toBe(404);
  });

  test.each([
    '/docs/../secret.txt',
    '/docs/..%2fsecret.txt',
    '/docs/%2e%2e/secret.txt',
    '/docs/assets/..%5c..%5csecret.txt',
    '/docs/.%00/secret.txt',
    '/docs/%zz',
    '/docs//etc/passwd',
  ])('%s does not leave its folder', async (at) => {
    const { status, text } = await getRaw(at);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('secret\n');
    expect(text).not.toMatch(/^(secret|root:)/);
  });

  test('it names the login backend to its pages', async () => {
    const { json, headers } = await get('/docs/deployment.json');
    expect(json).toEqual({ login_url: 'http://127.0.0.1:4711' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a newer build takes its place', async () => {
    build('second');
    expect((await get('/docs/')).text).toBe('front of second');
    expect((await get('/docs/errors')).text).toBe('errors of second');
  });
});
