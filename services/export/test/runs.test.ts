import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { openFolder } from '@parley/blobs/folder/store';
import type { BlobStore } from '@parley/blobs/store';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { problemOf } from '@parley/domain/problems';
import { ExportStatus } from '@parley/proto/parley/export/v1/export_pb';
import { until } from '@parley/testing';
import { blobKey } from '../src/export/blob-key.ts';
import { findExport } from '../src/sql/export.ts';
import { purgeExports } from '../src/timers/purge-exports.ts';
import { runExports } from '../src/timers/run-exports.ts';
import { keys, untilCompleted } from './support/open.ts';
import { startExports, type TestExports } from './support/service.ts';

const DAY_MS = 86_400_000;

let clock: TestClock;
let service: TestExports;
let blobs: BlobStore;
let root: string;
/** How messaging answers a request for conversations. */
let conversations: (request: { appId: string }) => AsyncGenerator<{ conversations: [] }>;
const none = async function* () {
  yield { conversations: [] as [] };
};

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'parley-blobs-'));
  blobs = await openFolder({ root, url: 'http://content.test/blobs', secret: 'the secret of addresses' });
  clock = createTestClock(Date.UTC(2030, 0, 1));
  const source = {
    exportConversations: (request: { appId: string }) => conversations(request),
    exportMessages: async function* () {
      yield { spans: [] };
    },
  };
  service = await startExports({ clock, blobs, source });
});
afterAll(() => service.stop());
beforeEach(() => {
  conversations = none;
});

async function request(appId: string = randomUUID()) {
  await service.exports.registerKey({ appId, publicKey: keys.publicKey });
  const { export: record } = await service.exports.requestExport({ appId });
  return { appId, id: record!.id };
}
async function get(ref: { appId: string; id: string }) {
  return (await service.exports.getExport(ref)).export!;
}
async function keyOf({ appId, id }: { appId: string; id: string }) {
  const row = await findExport(service.ctx.db, { appId, id });
  return blobKey({ appId, id, runId: row!.run_id! });
}
function problemIn(call: Promise<unknown>) {
  return call.then(
    () => 'success',
    (error: unknown) => problemOf(error)?.id,
  );
}

test('a failed run returns its export to pending with a reason and no archive, and is retried later', async () => {
  conversations = async function* () {
    yield { conversations: [] };
    throw new ConnectError('a secret of the inside', Code.Unavailable);
  };
  const ref = await request();
  await runExports(service.ctx);
  const failed = await get(ref);
  expect(failed).toMatchObject({
    status: ExportStatus.PENDING,
    statusReason: 'A part of the platform was unavailable.',
  });
  expect(failed.archive).toBeUndefined();
  conversations = none;
  await runExports(service.ctx);
  expect((await get(ref)).status).toBe(ExportStatus.PENDING);
  clock.advance(5000);
  const done = await untilCompleted(service, ref.appId, ref.id);
  expect(done.statusReason).toBeUndefined();
  expect(done.startedAt).toBe(failed.startedAt);
});

test('the record and the blob are deleted when the export expires', async () => {
  const ref = await request();
  const { expiredAt, completedAt } = await untilCompleted(service, ref.appId, ref.id);
  expect(expiredAt! - completedAt!).toBe(30 * DAY_MS);
  const key = await keyOf(ref);
  clock.advance(30 * DAY_MS - 1);
  await purgeExports(service.ctx);
  expect(await blobs.find(key)).toBeDefined();
  clock.advance(1);
  expect(await problemIn(service.exports.getExport(ref))).toBe('not_found');
  expect((await service.exports.listExports(ref)).exports).toEqual([]);
  await purgeExports(service.ctx);
  expect(await blobs.find(key)).toBeUndefined();
});

test('deleting a running export cancels it, leaves nothing, and allows another request', async () => {
  const begun = Promise.withResolvers<void>();
  const endless = Promise.withResolvers<void>();
  conversations = async function* () {
    begun.resolve();
    await endless.promise;
    yield { conversations: [] };
  };
  const ref = await request();
  const run = runExports(service.ctx);
  await begun.promise;
  expect((await get(ref)).status).toBe(ExportStatus.EXECUTING);
  expect(await problemIn(service.exports.requestExport(ref))).toBe('invalid_operation');
  await service.exports.deleteExport(ref);
  expect(await problemIn(service.exports.getExport(ref))).toBe('not_found');
  endless.resolve();
  await run;
  await until(
    async () => {
      await purgeExports(service.ctx);
      const left = await readdir(path.join(root, 'exports', ref.appId, ref.id)).catch(() => []);
      return left.length === 0 || undefined;
    },
    { withinMs: 10_000, what: 'nothing is left of the run' },
  );
  conversations = none;
  await request(ref.appId);
});

test('a historical request counts for 24 hours, to the millisecond', async () => {
  const ref = await request();
  await untilCompleted(service, ref.appId, ref.id);
  await service.exports.deleteExport(ref);
  clock.advance(DAY_MS - 1);
  expect(await problemIn(service.exports.requestExport(ref))).toBe('invalid_operation');
  clock.advance(1);
  expect(await problemIn(service.exports.requestExport(ref))).toBe('success');
});

test('the archive of a replaced run is removed, and that of the current run stays', async () => {
  const ref = await request();
  await untilCompleted(service, ref.appId, ref.id);
  const left = blobKey({ appId: ref.appId, id: ref.id, runId: randomUUID() });
  await blobs.complete({ key: left, uploadId: await blobs.begin(left, { contentType: 'a/b' }) }, [], {
    contentType: 'a/b',
  });
  await service.ctx.db.execute({
    text: 'insert into export_blob (key, app_id, export_id, run_id) values ($1, $2, $3, $4)',
    values: [left, ref.appId, ref.id, left.slice(-36)],
  });
  await purgeExports(service.ctx);
  expect(await blobs.find(left)).toBeUndefined();
  expect(await blobs.find(await keyOf(ref))).toBeDefined();
});

test('large exports of some applications do not delay a small one of another application', async () => {
  const large = new Set<string>();
  const released = Promise.withResolvers<void>();
  let isOver = false;
  void released.promise.then(() => (isOver = true));
  conversations = async function* ({ appId }) {
    do {
      yield { conversations: [] };
      await setImmediate();
    } while (large.has(appId) && !isOver);
  };
  const refs: { appId: string; id: string }[] = [];
  for (let index = 0; index < service.ctx.config.concurrency + 1; index += 1) {
    const appId = randomUUID();
    large.add(appId);
    refs.push(await request(appId));
  }
  const statuses = async () =>
    (await Promise.all(refs.map(get))).map(({ startedAt }) => startedAt !== undefined);
  const runs = refs.map(() => runExports(service.ctx));
  await until(async () => (await statuses()).every(Boolean) || undefined, {
    withinMs: 10_000,
    what: 'all large exports are under way',
  });
  const small = await request();
  await untilCompleted(service, small.appId, small.id);
  for (const ref of refs) expect((await get(ref)).status).toBe(ExportStatus.EXECUTING);
  released.resolve();
  await Promise.all(runs);
  for (const ref of refs) expect((await get(ref)).status).toBe(ExportStatus.COMPLETED);
}, 60_000);
