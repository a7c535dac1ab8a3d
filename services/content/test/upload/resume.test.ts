import { rename, rm } from 'node:fs/promises';
import { fraction } from '@parley/testing/fraction';
import { until } from '@parley/testing';
import fc from 'fast-check';
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
import { slowPut } from '../support/slow-put.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startContent();
});
afterAll(() => platform.stop());

function create(size: number): Promise<Upload> {
  return createUpload(platform, { size });
}

/** How many bytes are stored once the last writer has ended. */
async function settled(upload: Upload): Promise<number> {
  const { transfers } = platform.service.context;
  const isIdle = () => (transfers.active === 0 ? true : undefined);
  await until(isIdle, { withinMs: 10_000, what: 'the cut upload ends' });
  return storedOf(await askStatus(upload));
}

function underWay() {
  return until(() => (platform.service.context.transfers.active > 0 ? true : undefined), {
    withinMs: 10_000,
    what: 'the upload is under way',
  });
}

test('bytes received before a cut are kept, and the upload continues after them', async () => {
  const data = randomData(80 * PIECE + 77);
  const upload = await create(data.length);
  const put = slowPut(upload.url, { 'content-length': data.length });
  const cutAt = 60 * PIECE + 12_345;
  await put.write(data.subarray(0, cutAt));
  put.cut();
  const stored = await settled(upload);
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThanOrEqual(cutAt);
  expect((await sendPiece(upload, data, [stored, data.length])).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('pieces of any size, cut anywhere and continued at the stored byte, make the same content', async () => {
  const size = 24 * PIECE + 4321;
  const data = randomData(size);
  const scenario = fc.array(
    fc.record({
      pieces: fc.integer({ min: 1, max: 20 }),
      cut: fc.option(fraction),
    }),
    { minLength: 1, maxLength: 8 },
  );
  const run = async (steps: { pieces: number; cut: number | null }[]): Promise<void> => {
    const upload = await create(size);
    let stored = 0;
    // The server may hear of a request that was cut only after the next one.
    let sent = 0;
    for (const { pieces, cut } of steps) {
      const to = Math.min(size, Math.ceil(stored / PIECE) * PIECE + pieces * PIECE);
      if (stored >= to) break;
      if (cut === null) {
        stored = storedOf(await sendPiece(upload, data, [stored, to])) || size;
        sent = Math.max(sent, stored);
        continue;
      }
      const put = slowPut(upload.url, {
        'content-range': `bytes ${stored}-${to - 1}/${size}`,
        'content-length': to - stored,
      });
      const cutAt = stored + Math.floor((to - stored - 1) * cut);
      sent = Math.max(sent, cutAt);
      if (cutAt > stored) await put.write(data.subarray(stored, cutAt));
      put.cut();
      const now = await settled(upload);
      expect(now).toBeGreaterThanOrEqual(stored);
      expect(now).toBeLessThanOrEqual(sent);
      stored = now;
    }
    if (stored < size) expect((await sendPiece(upload, data, [stored, size])).status).toBe(200);
    expect(sha256(await download(platform, upload))).toBe(sha256(data));
  };
  await fc.assert(fc.asyncProperty(scenario, run), { numRuns: 12, endOnFailure: true });
}, 120_000);

test('any replica continues any upload', async () => {
  const replica = await platform.addReplica();
  const data = randomData(4 * PIECE);
  const upload = await create(data.length);
  const there = { ...upload, url: upload.url.replace(/:\d+\//, `:${replica.address.http_port}/`) };
  for (const [index, where] of [upload, there, upload, there].entries()) {
    await sendPiece(where, data, [index * PIECE, (index + 1) * PIECE]);
  }
  expect((await askStatus(upload)).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('of two simultaneous writers the one that makes progress wins, the other is refused, and no bytes are mixed', async () => {
  const [one, two] = [randomData(8 * PIECE), randomData(8 * PIECE)];
  const upload = await create(one.length);
  const first = slowPut(upload.url, { 'content-length': one.length });
  await first.write(one.subarray(0, PIECE));
  await underWay();
  const refused = send(upload.url, { body: two });
  // Keeps moving for as long as the other one waits.
  let at = PIECE;
  const moving = setInterval(() => {
    void first.write(one.subarray(at, at + 1000));
    at += 1000;
  }, 200);
  const { status, json } = await refused;
  clearInterval(moving);
  expect([status, json['id']]).toEqual([409, 'conflict']);
  await first.write(one.subarray(at));
  first.end();
  expect(await first.answer).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(one));
});

test('a stalled writer loses its lease to the next one, and cannot write any more', async () => {
  const [one, two] = [randomData(6 * PIECE), randomData(6 * PIECE)];
  const upload = await create(one.length);
  const silent = slowPut(upload.url, { 'content-length': one.length });
  await silent.write(one.subarray(0, PIECE));
  expect((await send(upload.url, { body: two })).status).toBe(200);
  await silent.write(one.subarray(PIECE));
  silent.end();
  expect(await silent.answer).toBe(409);
  expect(sha256(await download(platform, upload))).toBe(sha256(two));
});

test('a service that stops keeps the bytes received, and answers 503', async () => {
  const replica = await platform.addReplica();
  const data = randomData(3 * PIECE);
  const upload = await create(data.length);
  const url = upload.url.replace(/:\d+\//, `:${replica.address.http_port}/`);
  const put = slowPut(url, { 'content-length': data.length });
  await put.write(data.subarray(0, PIECE));
  await until(() => (replica.context.transfers.active > 0 ? true : undefined), {
    withinMs: 10_000,
    what: 'the upload is under way',
  });
  const stopping = replica.stop();
  await put.write(data.subarray(PIECE, 2 * PIECE));
  expect(await put.answer).toBe(503);
  await stopping;
  expect(storedOf(await askStatus(upload))).toBeGreaterThanOrEqual(PIECE);
  expect((await sendPiece(upload, data, [0, data.length])).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('while the store is unavailable uploads answer 503, and continue afterwards', async () => {
  const data = randomData(3 * PIECE);
  const upload = await create(data.length);
  await sendPiece(upload, data, [0, PIECE]);
  const away = `${platform.folder}-away`;
  await rename(platform.folder, away);
  const reply = await sendPiece(upload, data, [PIECE, 2 * PIECE]);
  expect([reply.status, reply.json['id']]).toEqual([503, 'service_unavailable']);
  expect(reply.headers.get('retry-after')).not.toBeNull();
  await rm(platform.folder, { recursive: true, force: true });
  await rename(away, platform.folder);
  expect(storedOf(await askStatus(upload))).toBe(PIECE);
  expect((await sendPiece(upload, data, [PIECE, data.length])).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('an upload that the store has lost restarts from the beginning', async () => {
  const data = randomData(3 * PIECE);
  const upload = await create(data.length);
  await sendPiece(upload, data, [0, PIECE]);
  await rm(`${platform.folder}/content/${upload.appId}/${upload.id}`, { recursive: true });
  const reply = await sendPiece(upload, data, [PIECE, data.length]);
  expect([reply.status, storedOf(reply)]).toEqual([308, 0]);
  expect((await send(upload.url, { body: data })).status).toBe(200);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});
