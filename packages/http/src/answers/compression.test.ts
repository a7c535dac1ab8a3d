import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { HttpResponse } from './response.ts';
import { writeResponse } from './write.ts';

const LARGE = [{ text: 'The same words again and again. '.repeat(100) }];
const DECODE: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

let answer: (res: ServerResponse) => void;
const server = createServer((_, res) => answer(res));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

type Reply = { headers: IncomingMessage['headers']; bytes: Buffer; text: string };

async function ask(
  given: HttpResponse,
  encodings?: string,
  { compresses = true, method = 'GET' } = {},
): Promise<Reply> {
  answer = (res) => writeResponse(res, given, { common: { vary: 'Origin' }, compresses });
  const { port } = server.address() as AddressInfo;
  const headers = encodings === undefined ? {} : { 'accept-encoding': encodings };
  const [response] = (await once(
    request({ port, host: '127.0.0.1', agent: false, method, headers }).end(),
    'response',
  )) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const decode = DECODE[response.headers['content-encoding'] ?? ''];
  return { headers: response.headers, bytes, text: (decode ? decode(bytes) : bytes).toString() };
}

test.each([
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['GZIP;q=0.5, br;q=0.9', 'br'],
  ['*', 'zstd'],
  ['*;q=0.5, gzip', 'gzip'],
  ['gzip;q=0, br', 'br'],
])('to "%s" a large response is in %s', async (encodings, expected) => {
  const { headers, bytes, text } = await ask({ status: 200, body: LARGE }, encodings);
  expect(headers['content-encoding']).toBe(expected);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers.vary).toBe('Origin, Accept-Encoding');
  expect(bytes.length).toBeLessThan(500);
  expect(JSON.parse(text)).toEqual(LARGE);
});

test.each([
  undefined,
  '',
  'identity',
  'deflate',
  'identity, gzip;q=0.5',
  'gzip;q=0',
  '*;q=0',
  'gzip;q=nonsense, ;;=,',
  ','.repeat(5_000),
])('to "%.30s" a large response is plain, and says that it could differ', async (encodings) => {
  const { headers, text } = await ask({ status: 200, body: LARGE }, encodings);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Origin, Accept-Encoding');
  expect(JSON.parse(text)).toEqual(LARGE);
});

test('what has at most 1024 bytes is left as it is', async () => {
  for (const [length, isCompressed] of [
    [1024, false],
    [1025, true],
  ] as const) {
    const { headers } = await ask({ status: 200, text: 'x'.repeat(length) }, 'gzip');
    expect([length, headers['content-encoding'], headers.vary]).toEqual(
      isCompressed ? [length, 'gzip', 'Origin, Accept-Encoding'] : [length, undefined, 'Origin'],
    );
  }
});

test('responses to HEAD, 204 and 304 and all responses of a gateway without compression are left as they are', async () => {
  const head = await ask({ status: 200, body: LARGE }, 'gzip', { method: 'HEAD' });
  expect(head.headers['content-encoding']).toBeUndefined();
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(LARGE))));
  for (const status of [204, 304])
    expect((await ask({ status }, 'gzip')).headers).not.toHaveProperty('content-encoding');
  const plain = await ask({ status: 200, body: LARGE }, 'gzip', { compresses: false });
  expect(plain.headers).toMatchObject({ vary: 'Origin' });
  expect(plain.headers['content-encoding']).toBeUndefined();
});

test.each(['gzip', 'br', 'zstd', undefined])(
  'a long text and a streamed array in %s are complete',
  async (encoding) => {
    const long = Array.from({ length: 20_000 }, (_, n) => `item ${n}, the same words again`);
    const whole = await ask({ status: 200, body: long }, encoding);
    expect(whole.headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(whole.text)).toEqual(long);
    let ended = 0;
    const streamed = await ask(
      {
        status: 200,
        stream: {
          first: JSON.stringify(long.slice(0, 9_000)),
          next: () => Promise.resolve({ items: long.slice(9_000), total: undefined, next: undefined }),
          done: () => void (ended += 1),
        },
      },
      encoding,
    );
    expect(streamed.headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(streamed.text)).toEqual(long);
    expect(ended).toBeGreaterThan(0);
  },
);

test('a compressed array whose next chunk fails does not look complete', async () => {
  const array = {
    first: JSON.stringify(LARGE),
    next: () => Promise.reject(new Error('away')),
    done: () => undefined,
  };
  await expect(ask({ status: 200, stream: array }, 'gzip')).rejects.toThrow(/aborted|hang up/);
});

test('while a client does not read, no further chunk of a compressed array is fetched', async () => {
  let asked = 0;
  let finished: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (finished = resolve));
  // Random text, which does not shrink.
  const chunk = () => Array.from({ length: 400_000 }, () => Math.random().toString(36)).join('');
  const next = () => {
    asked += 1;
    return Promise.resolve({ items: [chunk()], total: undefined, next });
  };
  answer = (res) =>
    writeResponse(
      res,
      { status: 200, stream: { first: '[]', next, done: finished } },
      { common: {}, compresses: true },
    );
  const { port } = server.address() as AddressInfo;
  const sent = request({
    port,
    host: '127.0.0.1',
    agent: false,
    headers: { 'accept-encoding': 'gzip' },
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response, 'readable');
  const before = asked;
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(before).toBeLessThanOrEqual(3);
  expect(asked).toBeLessThanOrEqual(3);
  response.destroy();
  await done;
});
