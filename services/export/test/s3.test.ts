import { randomBytes, randomUUID } from 'node:crypto';
import { openBucket } from '@parley/blobs/testing/bucket';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { ExportStatus } from '@parley/proto/parley/export/v1/export_pb';
import { describeWith, startCeph, until, type TestCeph } from '@parley/testing';
import { purgeExports } from '../src/timers/purge-exports.ts';
import { runExports } from '../src/timers/run-exports.ts';
import { keys, openBytes, untilCompleted } from './support/open.ts';
import { startExports, type TestExports } from './support/service.ts';

describeWith('ceph', 'on S3', () => {
  let ceph: TestCeph;
  let clock: TestClock;
  let service: TestExports;
  // Random, so that the archive is as large, which is more than one part.
  const name = randomBytes(9_000_000).toString('base64');

  beforeAll(async () => {
    // Of its own, to be killed.
    ceph = await startCeph();
    // Presigned addresses go by the time of the store.
    clock = createTestClock(Date.now());
    const source = {
      exportConversations: async function* () {
        const participants = [{ userId: 'ann', displayName: name }];
        yield { conversations: [{ id: randomUUID(), participants }] };
      },
      exportMessages: async function* () {
        yield { spans: [] };
      },
    };
    service = await startExports({ clock, s3: await openBucket(ceph.access, 'exports'), source });
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await ceph?.kill();
  });

  const request = async () => {
    const appId = randomUUID();
    await service.exports.registerKey({ appId, publicKey: keys.publicKey });
    const { export: record } = await service.exports.requestExport({ appId });
    return { appId, id: record!.id };
  };
  const expectNames = (text: unknown) => expect(JSON.stringify(text).includes(name)).toBe(true);

  test('an archive is downloaded from the store by its address, whole, until it is deleted', async () => {
    const ref = await request();
    const record = await untilCompleted(service, ref.appId, ref.id);
    const { downloadUrl } = record.archive!;
    expect(downloadUrl).toContain(ceph.access.endpoint);
    const answer = await fetch(downloadUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe('attachment');
    expectNames(openBytes(Buffer.from(await answer.arrayBuffer()), record));
    await service.exports.deleteExport(ref);
    const isGone = async () => {
      await purgeExports(service.ctx);
      return (await fetch(downloadUrl)).status === 404 || undefined;
    };
    await until(isGone, { withinMs: 20_000, what: 'the archive is gone' });
  }, 60_000);

  test('while the store is down an export stays pending with a reason; afterwards it completes', async () => {
    await ceph.kill();
    const ref = await request();
    await runExports(service.ctx);
    const { export: failed } = await service.exports.getExport(ref);
    expect(failed).toMatchObject({
      status: ExportStatus.PENDING,
      statusReason: 'A part of the platform was unavailable.',
    });
    await ceph.restart();
    clock.advance(5000);
    const record = await untilCompleted(service, ref.appId, ref.id);
    const answer = await fetch(record.archive!.downloadUrl);
    expectNames(openBytes(Buffer.from(await answer.arrayBuffer()), record));
  }, 60_000);
});
