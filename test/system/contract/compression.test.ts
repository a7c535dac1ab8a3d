import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { MEDIA_TYPE } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
let messages: string;

const DECODE: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

type Reply = { status: number; encoding: string; vary: string; size: number; json: Json; bytes: Buffer };
type Ask = { method?: 'GET' | 'POST' | 'HEAD'; body?: unknown; key?: string };

async function ask(url: string, encodings: string, { method = 'GET', body, key }: Ask = {}): Promise<Reply> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(url, {
    method,
    headers: {
      accept: MEDIA_TYPE,
      'accept-encoding': encodings,
      'content-type': 'application/json',
      authorization: `Svc session-token="${ada.token}"`,
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const encoding = String(headers['content-encoding'] ?? '');
  const text = (DECODE[encoding]?.(bytes) ?? bytes).toString();
  const json = (text === '' ? null : JSON.parse(text)) as Json;
  const size = Number(headers['content-length']);
  return { status: statusCode, encoding, vary: String(headers['vary']), size, json, bytes };
}

beforeAll(async () => {
  app = await createApp(await platform());
  [ada] = await Promise.all([app.login('ada'), app.login('bob')]);
  const created = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  messages = `/conversations/${uuidOf(created.body.id)}/messages`;
  for (let n = 0; n < 13; n += 1)
    await ada.call('POST', messages, 201, { body: { parts: [textPart(`message ${n}`)] } });
});

test.each(['gzip', 'br', 'zstd'])(
  'a page of 13 messages is a fraction of its size in %s',
  async (encoding) => {
    const plain = await ask(app.baseUrl + messages, 'identity');
    const compressed = await ask(app.baseUrl + messages, encoding);
    expect(plain).toMatchObject({ status: 200, encoding: '', vary: 'Origin, Accept-Encoding' });
    expect(compressed).toMatchObject({ status: 200, encoding, vary: 'Origin, Accept-Encoding' });
    expect(compressed.json).toEqual(plain.json);
    expect(compressed.size).toBe(compressed.bytes.length);
    expect(compressed.size).toBeLessThan(plain.size / 4);
    const head = await ask(app.baseUrl + messages, encoding, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, encoding: '', size: plain.size });
  },
);

test('a repeated request gets the recorded answer in the encoding that the repeat asks for', async () => {
  const body = { parts: [textPart('once '.repeat(300))] };
  const first = await ask(app.baseUrl + messages, 'gzip', { method: 'POST', body, key: 'one' });
  const repeats = await Promise.all(
    ['br', 'identity'].map((encodings) =>
      ask(app.baseUrl + messages, encodings, { method: 'POST', body, key: 'one' }),
    ),
  );
  expect([first, ...repeats].map(({ status, encoding }) => [status, encoding])).toEqual([
    [201, 'gzip'],
    [201, 'br'],
    [201, ''],
  ]);
  for (const { json } of repeats) expect(json).toEqual(first.json);
});
