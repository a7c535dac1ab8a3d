import type { BlobSettings } from '@parley/blobs/settings';
import { openBucket } from '@parley/blobs/testing/bucket';
import { describeWith, startCeph, until, type TestCeph } from '@parley/testing';
import fc from 'fast-check';
import { Client } from 'minio';
import { startContent, type Platform } from './support/platform.ts';
import {
  askStatus,
  createUpload,
  PIECE,
  randomData,
  send,
  sendPiece,
  sha256,
  storedOf,
  type Upload,
} from './support/client.ts';
import { slowPut } from './support/slow-put.ts';

describeWith('ceph', 'on S3', () => {
  let ceph: TestCeph;
  let platform: Platform;
  let blobs: BlobSettings;
  beforeAll(async () => {
    // Of its own, to be killed.
    ceph = await startCeph();
    blobs = await openBucket(ceph.access, 'content');
    platform = await startContent({ blobs });
  }, 60_000);
  afterAll(async () => {
    await platform?.stop();
    await ceph?.kill();
  });

  const create = (size: number): Promise<Upload> => createUpload(platform, { size });

  async function address({ appId, id }: Upload): Promise<string> {
    return (await platform.content.getContents({ appId, ids: [id] })).items[0]?.downloadUrl ?? '';
  }

  async function received(upload: Upload): Promise<string> {
    return sha256(Buffer.from(await (await fetch(await address(upload))).arrayBuffer()));
  }

  test('a download is redirected to a presigned address with ranges, type and attachment', async () => {
    const data = randomData(6 * 1024 * 1024);
    const upload = await create(data.length);
    expect((await send(upload.url, { body: data })).status).toBe(200);
    const redirect = await send(await address(upload), { method: 'GET' });
    expect(redirect.status).toBe(302);
    const location = redirect.headers.get('location') ?? '';
    expect(location).toContain(ceph.access.endpoint);
    const part = await fetch(location, { headers: { range: 'bytes=5242870-5242889' } });
    expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    expect(part.headers.get('content-disposition')).toBe('attachment');
    expect(Buffer.from(await part.arrayBuffer()).equals(data.subarray(5_242_870, 5_242_890))).toBe(true);
    expect(await received(upload)).toBe(sha256(data));
  });

  test('a streamed download supports ranges, and browsers do not interpret it', async () => {
    const streaming = await startContent({ blobs, streamDownloads: true });
    const data = randomData(6 * 1024 * 1024);
    const upload = await createUpload(streaming, { size: data.length });
    expect((await send(upload.url, { body: data })).status).toBe(200);
    const { items } = await streaming.content.getContents({ appId: upload.appId, ids: [upload.id] });
    const url = items[0]?.downloadUrl ?? '';
    const whole = await fetch(url, { redirect: 'error' });
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(whole.headers.get('content-disposition')).toBe('attachment');
    expect(sha256(Buffer.from(await whole.arrayBuffer()))).toBe(sha256(data));
    const part = await fetch(url, { redirect: 'error', headers: { range: 'bytes=5242870-5242889' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 5242870-5242889/${data.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(data.subarray(5_242_870, 5_242_890))).toBe(true);
    await streaming.stop();
  });

  test('pieces of any size, cut anywhere, make the same content', async () => {
    const size = 50 * PIECE + 99;
    const data = randomData(size);
    const steps = fc.array(fc.record({ pieces: fc.integer({ min: 1, max: 30 }), isCut: fc.boolean() }), {
      minLength: 3,
      maxLength: 10,
    });
    const run = async (sequence: { pieces: number; isCut: boolean }[]): Promise<void> => {
      const upload = await create(size);
      let stored = 0;
      for (const { pieces, isCut } of sequence) {
        const to = Math.min(size, Math.ceil(stored / PIECE) * PIECE + pieces * PIECE);
        if (stored >= to) break;
        if (isCut) {
          const put = slowPut(upload.url, {
            'content-range': `bytes ${stored}-${to - 1}/${size}`,
            'content-length': to - stored,
          });
          await put.write(data.subarray(stored, stored + Math.floor((to - stored) / 2)));
          put.cut();
          await put.answer;
          stored = storedOf(await askStatus(upload));
        } else {
          const reply = await sendPiece(upload, data, [stored, to]);
          stored = reply.status === 200 ? size : storedOf(reply);
        }
      }
      if (stored < size) expect((await sendPiece(upload, data, [stored, size])).status).toBe(200);
      expect(await received(upload)).toBe(sha256(data));
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 6, endOnFailure: true });
  }, 120_000);

  test('while a killed store is down uploads answer 503, and continue afterwards', async () => {
    const data = randomData(30 * 1024 * 1024 + 5);
    const upload = await create(data.length);
    const put = slowPut(upload.url, { 'content-length': data.length });
    const half = data.length / 2;
    for (let at = 0; at < half; at += PIECE) await put.write(data.subarray(at, at + PIECE));
    await until(async () => storedOf(await askStatus(upload)) || undefined, {
      withinMs: 10_000,
      what: 'parts are stored',
    });
    await ceph.kill();
    const sent = Math.ceil(half / PIECE) * PIECE;
    await put.write(data.subarray(sent));
    put.end();
    expect(await put.answer).toBe(503);
    const stored = storedOf(await askStatus(upload));
    expect(stored).toBeGreaterThan(0);
    expect((await sendPiece(upload, data, [stored, data.length])).status).toBe(503);
    await ceph.restart();
    expect((await sendPiece(upload, data, [storedOf(await askStatus(upload)), data.length])).status).toBe(
      200,
    );
    expect(await received(upload)).toBe(sha256(data));
  }, 60_000);

  test('ended content is removed from the store', async () => {
    const upload = await create(12 * 1024 * 1024);
    await sendPiece(upload, randomData(upload.size), [0, 6 * 1024 * 1024]);
    await send(upload.url, { method: 'DELETE' });
    await platform.jobs.purge();
    const { endpoint: _endpoint, ...keys } = ceph.access;
    const client = new Client({ ...keys, endPoint: '127.0.0.1', port: ceph.port, useSSL: false });
    const left: unknown[] = [];
    for await (const one of client.listIncompleteUploads('content', `content/${upload.appId}`, true))
      left.push(one);
    expect(left).toEqual([]);
  });
});
