import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createRouterTransport } from '@connectrpc/connect';
import { parseAnswer, requestText, sendRaw } from '@parley/kit/http/testing/raw';
import { ROUTES } from '../src/api/routes.ts';
import { ask } from './support/ask.ts';
import { MEDIA_TYPE } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens } from './support/identity.ts';
import { createPages } from './support/pages.ts';

// docs/limits.md#rates-and-concurrency

const BURST = 5;
/** More than what refills, however slow the machine. */
const MOST = 200;
const { folder, remove } = createPages({ 'errors/index.html': 'errors '.repeat(1_000) });
let gateway: TestGateway;
let addresses = 0;

beforeAll(async () => {
  gateway = await startGateway({
    identityTransport: knownTokens(),
    messagingTransport: createRouterTransport(() => undefined),
    env: {
      PARLEY_TRUSTED_PROXIES: '1',
      PARLEY_RATE_LIMIT_ADDRESS: '1',
      PARLEY_RATE_LIMIT_ADDRESS_BURST: String(BURST),
      PARLEY_RATE_LIMIT_FAILED_TOKEN: '1',
      PARLEY_RATE_LIMIT_FAILED_TOKEN_BURST: String(BURST),
      PARLEY_SITE_FOLDER: folder,
      PARLEY_CONSOLE_FOLDER: folder,
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  remove();
});

/** `address` undefined: that of this machine, as no proxy passes on requests for the console. */
function statusOf(method: string, at: string, address: string | undefined): Promise<number> {
  const headers = { accept: `${MEDIA_TYPE}, text/html`, 'x-forwarded-for': address };
  return ask(method, gateway.baseUrl + at, { headers }).then(({ status }) => status);
}

const PLACES = [
  ...ROUTES.map(({ method, path: at }) => [method, at.replace(/:\w+/g, 'x')] as const),
  ...['/docs/', '/docs/assets/none.js', '/docs/deployment.json', '/console/', '/console/assets/none.js'].map(
    (at) => ['GET', at] as const,
  ),
  ['GET', '/console/session'] as const,
];

test.each(PLACES)('%s %s without a token takes from a bucket of the address', async (method, at) => {
  addresses += 1;
  const address = at.startsWith('/console') ? undefined : `2001:db8:${addresses.toString(16)}::1`;
  let answered = 0;
  while (answered < MOST && (await statusOf(method, at, address)) !== 429) answered += 1;
  expect(answered).toBeGreaterThanOrEqual(address === undefined ? 0 : BURST);
  expect(answered).toBeLessThan(MOST);
});

const DECODERS = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['zstd', zstdDecompressSync],
] as const;

describe.each(['/openapi.json', '/asyncapi.json', '/docs/errors'])('%s', (target) => {
  function get(...lines: string[]) {
    const { port } = new URL(gateway.baseUrl);
    addresses += 1;
    const from = `X-Forwarded-For: 2001:db8:${addresses.toString(16)}::1`;
    const place = { port: Number(port), host: `127.0.0.1:${port}` };
    return sendRaw(place, requestText(place, { target, lines: [from, ...lines] })).then(parseAnswer);
  }

  test('is sent in the coding that the client likes best, with one ETag', async () => {
    const plain = await get();
    expect(plain.headers['content-encoding']).toBeUndefined();
    const document = Buffer.from(plain.body, 'latin1');
    for (const [coding, decode] of DECODERS) {
      const packed = await get(`Accept-Encoding: ${coding}`);
      expect(packed.headers).toMatchObject({
        ...{ 'content-encoding': coding, vary: 'Origin, Accept-Encoding', 'cache-control': 'no-cache' },
        etag: plain.headers['etag'],
      });
      expect(Number(packed.headers['content-length'])).toBeLessThan(document.length);
      expect(decode(Buffer.from(packed.body, 'latin1')).equals(document)).toBe(true);
    }
    expect((await get('Accept-Encoding: gzip, br;q=0.5')).headers['content-encoding']).toBe('gzip');
    expect((await get('Accept-Encoding: gzip, br')).headers['content-encoding']).toBe('br');
    expect((await get('Accept-Encoding: nothing')).headers['content-encoding']).toBeUndefined();
  });

  test('is 304 to a client that has it, in whatever coding', async () => {
    const { etag = '' } = (await get('Accept-Encoding: br')).headers;
    const again = await get(`If-None-Match: ${etag}`, 'Accept-Encoding: gzip');
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    expect(again.headers['vary']).toBe('Origin, Accept-Encoding');
  });
});
