import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ownPlatform } from '../../support/own-platform.ts';
import { buildLibrary, install, readListing, type Listing } from '../../support/library/library.ts';
import { limitedUrl, platform } from '../../support/platform.ts';

let baseUrl: string;
let listing: Listing;

beforeAll(async () => {
  buildLibrary();
  ({ baseUrl } = await platform());
  listing = await readListing(baseUrl);
}, 120_000);

async function get(path: string, expected: number, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path.startsWith('http') ? path : baseUrl + path, {
    redirect: 'manual',
    ...init,
  });
  expect([path, answer.status]).toEqual([path, expected]);
  return answer;
}

test('the listing names each file with the hash of its bytes, and lines to paste that have it', async () => {
  const tarballs = ['client.tgz', 'react.tgz', 'react-ui.tgz', 'create.tgz'];
  const names = [...tarballs, 'client.js', 'react-ui.js', 'embed.js', 'cli.tgz'];
  expect(listing.files.map(({ name }) => name)).toEqual(names);
  for (const { name, url, bytes, integrity, use } of listing.files) {
    expect(url).toBe(`${baseUrl}/library/${listing.version}/${name}`);
    const file = Buffer.from(await (await get(url, 200)).arrayBuffer());
    const hash = createHash('sha384').update(file);
    expect([file.length, `sha384-${hash.copy().digest('base64')}`]).toEqual([bytes, integrity]);
    expect(use).toContain(name.endsWith('.js') ? integrity : hash.digest('hex'));
  }
});

// Five more than before there were reactions, roles and restrictions, whose texts are in six languages.
test.each(['react-ui.js', 'embed.js'])('%s has at most 170 KB when it is compressed', async (name) => {
  const file = Buffer.from(await (await fetch(`${baseUrl}/library/${name}`)).arrayBuffer());
  expect(gzipSync(file, { level: 9 }).length).toBeLessThanOrEqual(170 * 1024);
});

test('a file of a version is kept for good, and the address without a version leads to it', async () => {
  const [{ url = '', latest_url: latest = '' } = {}] = listing.files;
  const file = await get(url, 200, { method: 'HEAD' });
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(file.headers.get('content-type')).toBe('application/gzip');
  const redirect = await get(latest, 302);
  const location = new URL(redirect.headers.get('location') ?? '', latest);
  expect(`${location.origin}${location.pathname}`).toBe(url);
  expect(redirect.headers.get('cache-control')).toBe('no-cache');
  expect((await get(location.href, 200)).headers.get('cache-control')).toBe(
    'public, max-age=31536000, immutable',
  );
  const other = await get(`${url}?of-another-build`, 200);
  expect(other.headers.get('cache-control')).not.toContain('immutable');
  await get(url, 304, { headers: { 'if-none-match': file.headers.get('etag') ?? '' } });
});

test('pages of any origin load it, without credentials', async () => {
  for (const path of [
    '/library/',
    '/library/client.js',
    '/library/embed.js',
    `/library/${listing.version}/client.js`,
    '/library/x',
  ]) {
    const { headers } = await fetch(baseUrl + path, {
      headers: { origin: 'https://app.example' },
      redirect: 'manual',
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test('the address of another release answers with the one that is there', async () => {
  const answer = await get('/library/0.0.0/client.js', 404);
  const { message } = (await answer.json()) as { message: string };
  expect(message).toContain(`/library/${listing.version}/client.js`);
});

test('the lines to paste fetch what they run', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'parley-lines-'));
  try {
    const { use = '' } = listing.files.find(({ name }) => name === 'cli.tgz') ?? {};
    expect(await install(['bash', '-c', use], { cwd })).toContain('create-app');
  } finally {
    rmSync(cwd, { recursive: true });
  }
}, 300_000);

test.each([
  '/library/0.0.0/no-such-file',
  '/library/client',
  '/library/library.json',
  '/library/__proto__',
  '/library/constructor/toString',
  '/library/%2e%2e%2fpackage.json',
  `/library/%2e%2e/%2e%2e/etc/passwd`,
  '/library/..%5c..%5cpackage.json',
  '/library/client.tgz%00',
  `/library/${'a'.repeat(16_000)}`,
])('%.60s is an unknown file, in the form of all errors', async (path) => {
  const answer = await get(path, 404);
  expect(await answer.json()).toMatchObject({ id: 'invalid_endpoint' });
});

test('it takes GET and HEAD alone', async () => {
  const answer = await get('/library/client.js', 405, { method: 'PUT' });
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test('a browser sees a page with the lines to paste', async () => {
  const answer = await get('/library/', 200, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toContain('npx --yes ./create.tgz my-chat');
});

test('requests count for their address', async () => {
  const url = `${await limitedUrl()}/library/`;
  let refused: Response | undefined;
  for (let sent = 0; sent < 40 && !refused; sent++) {
    const answer = await fetch(url, { headers: { 'x-forwarded-for': '192.0.2.77' } });
    if (answer.status !== 200) refused = answer;
  }
  expect([refused?.status, refused?.headers.has('retry-after')]).toEqual([429, true]);
  expect((await fetch(url, { headers: { 'x-forwarded-for': '192.0.2.78' } })).status).toBe(200);
});

test('a setting switches it off', async () => {
  const own = await ownPlatform({ env: { gateway: { PARLEY_LIBRARY: 'false' } } });
  try {
    await get(`${own.baseUrl}/library/`, 404);
    await get(`${own.baseUrl}/library/${listing.version}/client.tgz`, 404);
  } finally {
    await own.stop();
  }
}, 120_000);
