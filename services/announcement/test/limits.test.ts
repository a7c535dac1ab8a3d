import { newId } from '@parley/domain/ids';
import { lockApps } from '@parley/kit/postgres/app-locks';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { until } from '@parley/testing';
import { problemIn } from '@parley/domain/testing/problems';
import { countRows, createAnnouncement, listIds, untilFannedOut } from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

/** Runs `work` while each new announcement of an application waits for a lock. */
async function whileBlocked(appId: string, work: () => Promise<void>): Promise<void> {
  await service.ctx.db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await lockApps(tx, 'erasures', { alone: [appId] });
    await work();
  }, HELD);
}

test('an application whose announcements are stuck keeps no other application waiting', async () => {
  const [busy, quiet] = [newId(), newId()];
  const stuck: Promise<unknown>[] = [];
  await whileBlocked(busy, async () => {
    if (stuck.length === 0) {
      for (let i = 0; i < 20; i++)
        stuck.push(createAnnouncement(service, { appId: busy, recipients: ['ada'] }));
    }
    const { announcement } = await createAnnouncement(service, { appId: quiet, recipients: ['ada'] });
    await untilFannedOut(service, quiet);
    expect(await listIds(service, { appId: quiet, userId: 'ada' })).toContain(announcement?.id);
    expect(await countRows(service, 'announcement where app_id = $1', busy)).toBe(0);
  });
  await Promise.all(stuck);
  await untilFannedOut(service, busy);
  expect(await listIds(service, { appId: busy, userId: 'ada' })).toHaveLength(20);
});

test('a call that finds no place in time is refused, and nothing of it is stored', async () => {
  const appId = newId();
  const first = newId();
  const { promise: admitted, resolve: admit } = Promise.withResolvers<Promise<unknown>>();
  await whileBlocked(appId, async () => {
    admit(createAnnouncement(service, { appId, id: first, recipients: ['ada'] }));
    const waiting = `pg_locks where locktype = 'advisory' and not granted`;
    await until(async () => (await countRows(service, waiting)) > 0 || undefined, {
      withinMs: 10_000,
      what: 'the first announcement waits for the lock',
    });
    const parts = [{ id: newId(), mimeType: 'text/plain', body: 'hear' }];
    const request = { appId, id: newId(), requestId: newId(), senderUserId: 'herald', parts };
    const second = service.announcement.createAnnouncement(
      { ...request, recipientUserIds: ['ada'] },
      { timeoutMs: 2_000 },
    );
    expect(await problemIn(second)).toBe('rate_limit_exceeded');
  });
  await await admitted;
  await untilFannedOut(service, appId);
  expect(await listIds(service, { appId, userId: 'ada' })).toEqual([first]);
});
