import { randomUUID } from 'node:crypto';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { EXPORT_EVENTS } from '@parley/domain/events/export-events';
import { ExportInterval } from '@parley/proto/parley/export/v1/export_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { until } from '@parley/testing';
import { beginScheduled } from '../src/timers/begin-scheduled.ts';
import { purgeJournal } from '../src/timers/purge-journal.ts';
import { message } from './support/message.ts';
import { keys, openArchive, untilCompleted } from './support/open.ts';
import { publish, startExports, type TestExports } from './support/service.ts';

const DAY_MS = 86_400_000;

let clock: TestClock;
let service: TestExports;
let replica: TestExports;

beforeAll(async () => {
  clock = createTestClock(Date.UTC(2030, 0, 1, 12));
  const places = ['m1', 'm2', 'm3'].map((id, index) => ({
    id,
    position: index + 1,
    senderId: index === 1 ? 'bob' : 'ann',
  }));
  const source = { listMessagePlaces: () => ({ places }) };
  service = await startExports({ clock, source });
  const blobFolder = (service.ctx.config.blobs as { root: string }).root;
  replica = await startExports({ clock, source, databaseUrl: service.databaseUrl, blobFolder });
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

async function newApp(events: readonly string[] = EXPORT_EVENTS, hourUtc = 0): Promise<string> {
  const appId = randomUUID();
  await service.exports.registerKey({ appId, publicKey: keys.publicKey });
  const interval = ExportInterval.DAILY;
  await service.exports.configureSchedule({ appId, interval, events: [...events], hourUtc });
  return appId;
}
async function settingsOf(appId: string) {
  return (await service.exports.getSchedule({ appId })).settings!;
}
function journalHas(appId: string, count: number) {
  return until(
    async () => {
      const query = { text: 'select number from journal_head where app_id = $1', values: [appId] };
      const [head] = await service.ctx.db.query<{ number: number }>(query);
      return (head?.number ?? 0) >= count || undefined;
    },
    { withinMs: 10_000, what: `${count} events are in the journal` },
  );
}
/** Has both replicas begin due exports. Resolves when all of them are committed, those begun by timers as well. */
async function beginBoth() {
  await Promise.all([beginScheduled(service.ctx), beginScheduled(replica.ctx)]);
  const due = {
    text: `select from export_schedule where next_export_at <= to_timestamp($1::float8 / 1000)`,
    values: [clock.now()],
  };
  await until(async () => (await service.ctx.db.execute(due)) === 0 || undefined, {
    withinMs: 10_000,
    what: 'no schedule is due',
  });
}
/** A day passes, and both replicas begin due exports. */
async function nextDay() {
  clock.advance(DAY_MS);
  await beginBoth();
}
async function openLast(appId: string) {
  const { lastExportId } = await settingsOf(appId);
  return openArchive(service, await untilCompleted(service, appId, lastExportId!));
}

test('an export begins every day at its hour, and the settings show it', async () => {
  const appId = await newApp(EXPORT_EVENTS, 4);
  const first = await settingsOf(appId);
  expect(new Date(first.nextExportAt!).toISOString()).toMatch(/T04:00:00.000Z$/);
  expect([first.lastExportAt, first.lastExportId]).toEqual([undefined, undefined]);
  clock.advance(first.nextExportAt! - clock.now() - 1);
  await beginScheduled(service.ctx);
  expect((await settingsOf(appId)).lastExportId).toBeUndefined();
  clock.advance(1);
  await Promise.all([beginScheduled(service.ctx), beginScheduled(replica.ctx)]);
  // The service's own timer may have been the one that began it, and may not have committed yet.
  const exports = await until(
    async () => {
      const listed = (await service.exports.listExports({ appId })).exports;
      return listed.length > 0 ? listed : undefined;
    },
    { withinMs: 10_000, what: 'the export has begun' },
  );
  expect(exports).toHaveLength(1);
  expect(await settingsOf(appId)).toMatchObject({
    lastExportAt: first.nextExportAt,
    lastExportId: exports[0]!.id,
    nextExportAt: first.nextExportAt! + DAY_MS,
  });
  expect(await openLast(appId)).toEqual({ events: [] });
});

test('a missed export is made up for, once', async () => {
  const appId = await newApp();
  clock.advance(5 * DAY_MS);
  await beginBoth();
  expect((await service.exports.listExports({ appId })).exports).toHaveLength(1);
  const { nextExportAt } = await settingsOf(appId);
  expect(nextExportAt! > clock.now() && nextExportAt! <= clock.now() + DAY_MS).toBe(true);
});

test('each event is in exactly one export, in time order, while events come and replicas race', async () => {
  const appId = await newApp();
  const sent: string[] = [];
  for (let day = 0; day < 5; day++) {
    const drafts = Array.from({ length: 60 }, (_, index) =>
      message(appId, 'ann', clock.now() + 1000 - index),
    );
    const [published] = await Promise.all([publish(service, drafts), nextDay()]);
    sent.push(...published.map(({ id }) => id));
  }
  await journalHas(appId, sent.length);
  await nextDay();
  const { exports } = await service.exports.listExports({ appId });
  expect(exports).toHaveLength(6);
  const found: string[] = [];
  for (const { id } of exports) {
    const { events } = await openArchive(service, await untilCompleted(service, appId, id));
    const times = events.map(({ event }) => event.created_at);
    expect(times).toEqual(times.toSorted());
    found.push(...events.map(({ event }) => event.id));
  }
  expect(found.toSorted()).toEqual(sent.toSorted());

  await purgeJournal(service.ctx);
  const left = { text: 'select from journal where app_id = $1', values: [appId] };
  expect(await service.ctx.db.execute(left)).toBe(0);
}, 60_000);

const PUSH = {
  recipient: { userId: 'bob' },
  ...{ deviceId: 'phone', provider: 'apns', attempts: 1, reason: '410' },
};

test('only the requested kinds of events are exported, each in its shape', async () => {
  const appId = await newApp([
    'message.read',
    'message.delivered',
    'conversation.updated.metadata',
    'push.failed',
  ]);
  const conversationId = randomUUID();
  const actor = { userId: 'bob', displayName: 'BOB' };
  const base = { appId, conversationId, createdAt: clock.now(), actor };
  const receipt = { userId: 'bob', messageId: 'm9', position: 9, senderUserId: 'ann' };
  const [conversation, spans] = [{ appId, id: conversationId, createdAt: 0 }, [{ first: 1, last: 3 }]];
  await publish(service, [
    message(appId, 'ann', clock.now()),
    { ...base, body: { case: 'receiptRecorded', value: { type: ReceiptType.READ, ...receipt } } },
    { ...base, body: { case: 'receiptRecorded', value: { type: ReceiptType.DELIVERY, ...receipt } } },
    { ...base, body: { case: 'allRead', value: { userId: 'bob', position: 3, newlyRead: spans } } },
    { ...base, body: { case: 'allDelivered', value: { userId: 'bob', newlyDelivered: spans } } },
    {
      ...base,
      body: {
        case: 'conversationUpdated',
        value: {
          conversation,
          operations: [
            { step: { case: 'setMetadata', value: { path: ['a'] } } },
            { step: { case: 'addParticipant', value: 'cem' } },
          ],
        },
      },
    },
    { ...base, body: { case: 'pushSettled', value: { ...PUSH, messageId: 'm9', conversationId } } },
    { ...base, body: { case: 'pushSettled', value: { ...PUSH, delivered: true } } },
  ]);
  await journalHas(appId, 9);
  await nextDay();
  const { events } = await openLast(appId);
  expect(events.map(({ event, message }) => `${event.type} ${message?.id ?? ''}`).toSorted()).toEqual([
    'conversation.updated.metadata ',
    ...['m1', 'm3', 'm9'].map((id) => `message.delivered svc:///messages/${id}`),
    ...['m1', 'm3', 'm9'].map((id) => `message.read svc:///messages/${id}`),
    'push.failed svc:///messages/m9',
  ]);
  expect(events.find(({ event }) => event.type === 'push.failed')).toMatchObject({
    push: { recipient: 'svc:///identities/bob', device_id: 'phone', provider: 'apns', reason: '410' },
  });
  expect(
    events.find(({ event, message }) => event.type === 'message.read' && message?.id.endsWith('m9')),
  ).toEqual({
    event: {
      id: expect.any(String),
      type: 'message.read',
      created_at: new Date(base.createdAt).toISOString(),
    },
    actor: expect.objectContaining({ user_id: 'bob', display_name: 'BOB' }),
    message: {
      id: 'svc:///messages/m9',
      url: `http://parley.test/apps/${appId}/conversations/${conversationId}/messages/m9`,
    },
    conversation: {
      id: `svc:///conversations/${conversationId}`,
      url: `http://parley.test/apps/${appId}/conversations/${conversationId}`,
    },
  });
  expect(new Set(events.map(({ event }) => event.id)).size).toBe(events.length);
});

test('of an erased user only messages sent after the return are exported, even if clocks differ', async () => {
  const appId = await newApp();
  const after = message(appId, 'ann', clock.now() + 5000);
  for (const person of [after.actor, after.body?.value?.message?.sender])
    Object.assign(person!, { incarnation: 7 });
  const before = message(appId, 'ann', clock.now() + 10_000);
  await publish(service, [message(appId, 'bob', clock.now()), before, after]);
  for (const version of [7, 7, 3])
    await publish(service, [{ appId, body: { case: 'userErased', value: { userId: 'ann', version } } }]);
  await journalHas(appId, 3);
  await until(
    async () => {
      const query = { text: 'select from erased_person where app_id = $1 and version = 7', values: [appId] };
      return (await service.ctx.db.execute(query)) > 0 || undefined;
    },
    { withinMs: 10_000, what: 'the erasure is known' },
  );
  await nextDay();
  const { events } = await openLast(appId);
  const shown = events.map(({ actor, message }) => [
    actor?.user_id,
    actor?.display_name,
    message?.parts?.length,
  ]);
  expect(shown).toEqual([
    ['bob', 'BOB', 1],
    ['ann', 'ANN', 1],
    ['ann', null, 0],
  ]);
});

test('no events are kept of an application without a schedule, or whose schedule was disabled', async () => {
  const appId = await newApp();
  await publish(service, [message(appId, 'ann', clock.now())]);
  await journalHas(appId, 1);
  await service.exports.configureSchedule({
    appId,
    interval: ExportInterval.DISABLED,
    events: [...EXPORT_EVENTS],
  });
  expect((await settingsOf(appId)).nextExportAt).toBeUndefined();
  await purgeJournal(service.ctx);
  const left = { text: 'select from journal where app_id = $1', values: [appId] };
  expect(await service.ctx.db.execute(left)).toBe(0);
  await nextDay();
  expect((await service.exports.listExports({ appId })).exports).toEqual([]);
});

test('events from before the schedule was set are not exported, even if they arrive later', async () => {
  const appId = await newApp();
  const opened = clock.now();
  await publish(service, [message(appId, 'early', opened - 6000), message(appId, 'first', opened)]);
  await journalHas(appId, 1);
  const configure = (interval: ExportInterval) =>
    service.exports.configureSchedule({ appId, interval, events: [...EXPORT_EVENTS] });
  // Set again while it is set, it is as before.
  clock.advance(60_000);
  await configure(ExportInterval.DAILY);
  await publish(service, [message(appId, 'late', opened + 1)]);
  await journalHas(appId, 2);
  await configure(ExportInterval.DISABLED);
  clock.advance(60_000);
  await configure(ExportInterval.DAILY);
  await publish(service, [
    message(appId, 'meanwhile', clock.now() - 6000),
    message(appId, 'then', clock.now()),
  ]);
  await journalHas(appId, 3);
  await nextDay();
  const { events } = await openLast(appId);
  expect(events.map(({ actor }) => actor?.user_id)).toEqual(['then']);
});

test('a deleted application has no schedule and no exports', async () => {
  const appId = await newApp();
  await publish(service, [message(appId, 'ann', clock.now())]);
  await journalHas(appId, 1);
  await nextDay();
  await openLast(appId);
  await publish(service, [{ appId, createdAt: clock.now(), body: { case: 'appDeleted', value: {} } }]);
  const isGone = async () => (await service.exports.listExports({ appId })).exports.length === 0 || undefined;
  await until(isGone, { withinMs: 10_000, what: 'its exports are gone' });
  expect((await settingsOf(appId)).nextExportAt).toBeUndefined();
  await nextDay();
  expect((await service.exports.listExports({ appId })).exports).toEqual([]);
});
