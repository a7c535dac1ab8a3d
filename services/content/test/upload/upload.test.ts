import { startContent, type Platform } from '../support/platform.ts';
import {
  askStatus,
  createUpload,
  download,
  PIECE,
  randomData,
  send,
  sendPiece,
  sha256,
  storedOf,
  type Upload,
} from '../support/client.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startContent();
});
afterAll(() => platform.stop());

function create(size: number): Promise<Upload> {
  return createUpload(platform, { size });
}

// docs/protocol/uploads.md#send-the-bytes

test.each(['PUT', 'POST'])('a whole %s stores the content and answers with it', async (method) => {
  const data = randomData(3 * PIECE + 17);
  const upload = await create(data.length);
  const reply = await send(upload.url, { method, body: data });
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({
    id: `svc:///content/${upload.id}`,
    size: data.length,
    download_url: expect.stringContaining(upload.id),
    expiration: new Date(platform.clock.now() + 900_000).toISOString(),
    refresh_url: `http://gateway.test/content/${upload.id}`,
    upload_url: null,
  });
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('a whole PUT without a length is stored as far as it goes', async () => {
  const data = randomData(PIECE + 1);
  const upload = await create(data.length);
  const body = new Blob([data]).stream();
  expect((await send(upload.url, { body })).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('pieces are answered with the stored range, the last one with the content', async () => {
  const data = randomData(2 * PIECE + 100);
  const upload = await create(data.length);
  const first = await sendPiece(upload, data, [0, PIECE]);
  expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${PIECE - 1}`]);
  const second = await sendPiece(upload, data, [PIECE, 2 * PIECE], '*');
  expect([second.status, storedOf(second)]).toEqual([308, 2 * PIECE]);
  const last = await sendPiece(upload, data, [2 * PIECE, data.length]);
  expect([last.status, last.json['size']]).toEqual([200, data.length]);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('the status is a 308 without a range, a 308 with one, and a 200', async () => {
  const data = randomData(PIECE + 5);
  const upload = await create(data.length);
  const before = await askStatus(upload);
  expect([before.status, before.headers.get('range')]).toEqual([308, null]);
  await sendPiece(upload, data, [0, PIECE]);
  const within = await askStatus(upload);
  expect([within.status, storedOf(within)]).toEqual([308, PIECE]);
  await sendPiece(upload, data, [PIECE, data.length]);
  const after = await askStatus(upload);
  expect([after.status, after.json['size']]).toEqual([200, data.length]);
});

test('stored bytes that are sent again are skipped', async () => {
  const data = randomData(3 * PIECE);
  const upload = await create(data.length);
  await sendPiece(upload, data, [0, 2 * PIECE]);
  const other = randomData(data.length);
  data.copy(other, 2 * PIECE, 2 * PIECE);
  const again = await sendPiece(upload, other, [0, PIECE]);
  expect([again.status, storedOf(again)]).toEqual([308, 2 * PIECE]);
  expect((await sendPiece(upload, other, [PIECE, 3 * PIECE])).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('a complete upload answers every request with the content', async () => {
  const data = randomData(PIECE);
  const upload = await create(data.length);
  await send(upload.url, { body: data });
  expect((await send(upload.url, { body: randomData(PIECE) })).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

describe('refused with 400, and the upload stays:', () => {
  const size = 4 * PIECE;
  const data = randomData(size);
  const range = (value: string, body: Uint8Array) => ({ headers: { 'content-range': value }, body });
  test.each([
    ['a gap', range(`bytes ${2 * PIECE}-${3 * PIECE - 1}/${size}`, data.subarray(0, PIECE))],
    ['a wrong total', range(`bytes ${PIECE}-${2 * PIECE - 1}/${size + 1}`, data.subarray(0, PIECE))],
    ['more than declared', range(`bytes ${PIECE}-${size}/*`, data.subarray(0, size + 1 - PIECE))],
    ['a longer body', range(`bytes ${PIECE}-${2 * PIECE - 1}/${size}`, data.subarray(0, PIECE + 1))],
    ['an odd piece', range(`bytes ${PIECE}-${PIECE + 99_999}/${size}`, data.subarray(0, 100_000))],
    ['a range backwards', range(`bytes ${PIECE}-0/${size}`, data.subarray(0, 1))],
    ['no range at all', range('pages 1-2/3', data.subarray(0, 1))],
    ['a whole that is shorter', { body: data.subarray(0, 100) }],
    ['a whole that is longer', { body: randomData(size + 1) }],
    ['a longer whole of unknown length', { body: new Blob([randomData(size + 1)]).stream() }],
    ['a status query with another total', { headers: { 'content-range': `bytes */${size - 1}` } }],
  ])('%s', async (_what, request) => {
    const upload = await create(size);
    await sendPiece(upload, data, [0, PIECE]);
    const reply = await send(upload.url, request);
    expect([reply.status, reply.json['id']]).toEqual([400, 'invalid_request']);
    const stored = storedOf(await askStatus(upload));
    expect(stored).toBeGreaterThanOrEqual(PIECE);
    expect(stored).toBeLessThan(size);
    expect((await sendPiece(upload, data, [0, size])).status).toBe(200);
  });
});

test('DELETE ends an upload: 499, then 410', async () => {
  const data = randomData(2 * PIECE);
  const upload = await create(data.length);
  await sendPiece(upload, data, [0, PIECE]);
  expect((await send(upload.url, { method: 'DELETE' })).status).toBe(499);
  for (const reply of [
    await send(upload.url, { method: 'DELETE' }),
    await sendPiece(upload, data, [PIECE, 2 * PIECE]),
    await askStatus(upload),
  ]) {
    expect([reply.status, reply.json['id']]).toEqual([410, 'object_deleted']);
  }
});

test('an unknown address is not found', async () => {
  const upload = await create(1);
  const reply = await send(`${upload.url.slice(0, -1)}x`, { body: new Uint8Array(1) });
  expect([reply.status, reply.json['id']]).toEqual([404, 'not_found']);
});

test('an empty content is uploaded by an empty body', async () => {
  const upload = await create(0);
  expect((await send(upload.url, { body: new Uint8Array(0) })).status).toBe(200);
  expect(await download(platform, upload)).toHaveLength(0);
});

test('only pages of the declared origin may upload from a browser', async () => {
  const origin = 'https://app.example.com';
  const upload = await createUpload(platform, { size: 10, origin });
  const preflight = await send(upload.url, { method: 'OPTIONS', headers: { origin } });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ');
  const sent = [
    'content-range',
    'upload-content-type',
    'upload-content-length',
    'tus-resumable',
    'traceparent',
  ];
  expect(allowed).toEqual(expect.arrayContaining(sent));
  const reply = await askStatus(upload);
  expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
  expect(reply.headers.get('access-control-expose-headers')).toContain('Range');
  const without = await askStatus(await create(10));
  expect(without.headers.get('access-control-allow-origin')).toBeNull();
});
