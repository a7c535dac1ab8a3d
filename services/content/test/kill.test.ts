import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { fraction } from '@parley/testing/fraction';
import { until } from '@parley/testing';
import { prepareProcess } from './support/process.ts';
import {
  askStatus,
  createUpload,
  download,
  PIECE,
  randomData,
  sendPiece,
  sha256,
  storedOf,
} from './support/client.ts';
import { slowPut } from './support/slow-put.ts';

let folder: string;
let service: Awaited<ReturnType<typeof prepareProcess>>;
let running: Awaited<ReturnType<typeof service.start>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-content-'));
  service = await prepareProcess({ PARLEY_BLOB_FOLDER: path.join(folder, 'blobs') });
  running = await service.start();
}, 120_000);
afterAll(async () => {
  await running.kill();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

test('a service killed in the middle of a chunk loses no committed byte', async () => {
  const size = 60 * 4 * PIECE + 321;
  const data = randomData(size);
  const cuts = fc.array(
    fraction.map((part) => 0.05 + 0.9 * part),
    { minLength: 2, maxLength: 3 },
  );
  const run = async (fractions: number[]): Promise<void> => {
    const upload = await createUpload(service, { size });
    let committed = 0;
    for (const fraction of fractions) {
      const headers = {
        'content-range': `bytes ${committed}-${size - 1}/${size}`,
        'content-length': size - committed,
      };
      const put = slowPut(upload.url, headers);
      const cutAt = committed + Math.floor((size - committed) * fraction);
      for (let at = committed; at < cutAt; at += PIECE) {
        await put.write(data.subarray(at, Math.min(at + PIECE, cutAt)));
      }
      const known = storedOf(await askStatus(upload));
      await running.kill();
      await put.answer;
      running = await service.start();
      const stored = storedOf(await askStatus(upload));
      expect(stored).toBeGreaterThanOrEqual(known);
      expect(stored).toBeLessThanOrEqual(cutAt);
      committed = stored;
    }
    // The lease of the dead process lapses by itself.
    const last = await until(
      async () => {
        const reply = await sendPiece(upload, data, [committed, size]);
        return reply.status === 409 ? undefined : reply;
      },
      { withinMs: 90_000, what: 'the upload goes on' },
    );
    expect(last.status).toBe(200);
    expect(sha256(await download(service, upload))).toBe(sha256(data));
  };
  await fc.assert(fc.asyncProperty(cuts, run), { numRuns: 3, endOnFailure: true });
}, 600_000);
