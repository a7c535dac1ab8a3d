import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { EXPORT_EVENTS } from '@parley/domain/events/export-events';
import { ExportInterval } from '@parley/proto/parley/export/v1/export_pb';
import { until } from '@parley/testing';
import { beginScheduled } from '../src/timers/begin-scheduled.ts';
import { purgeBlobs } from '../src/export/purge-blobs.ts';
import { keys } from './support/open.ts';
import { startExports, type TestExports } from './support/service.ts';

const DAY_MS = 86_400_000;

let clock: TestClock;
let service: TestExports;

beforeEach(async () => {
  clock = createTestClock(Date.UTC(2030, 0, 1, 12));
  service = await startExports({ clock });
});
afterEach(() => service.stop());

test('a scheduled export that fails to begin delays no other', async () => {
  const { db } = service.ctx;
  const [broken, ...others] = [randomUUID(), randomUUID(), randomUUID()].sort();
  for (const appId of [broken!, ...others]) {
    await service.exports.registerKey({ appId, publicKey: keys.publicKey });
    const settings = { interval: ExportInterval.DAILY, events: [...EXPORT_EVENTS], hourUtc: 0 };
    await service.exports.configureSchedule({ appId, ...settings });
  }
  // The one that fails has been due longest.
  await db.execute({
    text: `update export_schedule set next_export_at = next_export_at - interval '1 hour' where app_id = $1`,
    values: [broken],
  });
  await db.execute({ text: `alter table export add constraint broken check (app_id <> '${broken}')` });
  clock.advance(DAY_MS);
  // The service's own timer may begin some of them.
  const untilBegun = (apps: string[]) =>
    until(
      async () => {
        await beginScheduled(service.ctx);
        const text = 'select app_id from export order by app_id';
        const begun = (await db.query<{ app_id: string }>({ text })).map(({ app_id }) => app_id);
        return isDeepStrictEqual(begun, apps) || undefined;
      },
      { withinMs: 20_000, what: `exports of ${apps.length} applications are begun` },
    );
  await untilBegun(others);
  await db.execute({ text: 'alter table export drop constraint broken' });
  await untilBegun([broken!, ...others]);
});

test('an archive that fails to be removed from the store delays no other', async () => {
  const { db, blobs } = service.ctx;
  const stuck = new Set<string>();
  const discarded: string[] = [];
  const discard = async (key: string): Promise<void> => {
    if (stuck.has(key)) throw new Error('the store does not answer');
    discarded.push(key);
  };
  const add = async (key: string): Promise<string> => {
    await db.execute({
      text: 'insert into export_blob (key, app_id, export_id, run_id) values ($1, $2, $2, $2)',
      values: [key, randomUUID()],
    });
    return key;
  };
  stuck.add(await add('a'));
  for (let index = 0; index < 120; index += 1) stuck.add(await add(`b${index}`));
  await add('c');
  const ctx = { ...service.ctx, blobs: { ...blobs, discard } };
  await purgeBlobs(ctx);
  expect(discarded).toEqual(['c']);
  stuck.clear();
  await purgeBlobs(ctx);
  expect(discarded).toHaveLength(122);
});
