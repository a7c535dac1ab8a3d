import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { eventKind, durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ExportInterval } from '@parley/proto/parley/export/v1/export_pb';
import { until } from '@parley/testing';
import { message } from './support/message.ts';
import { keys } from './support/open.ts';
import { publish, startExports, type TestExports } from './support/service.ts';

const HOUR_MS = 3600_000;
let clock: TestClock;
let service: TestExports;
/** Events in messaging's change log. */
let logged: Event[];
/** The periods that messaging was asked for, and the times since which it published again. */
let asked: { appId: string; since: number; until: number }[];
let published: number[];

beforeAll(async () => {
  // Of today: what was handled is forgotten two weeks after the database's time of it.
  clock = createTestClock(Date.now());
  service = await startExports({
    clock,
    log: {
      listLoggedEvents: ({ appId, since, until: end, after, limit }) => {
        if (!after) asked.push({ appId, since, until: end });
        const all = logged.filter(
          (one) => one.appId === appId && one.createdAt >= since && one.createdAt < end,
        );
        const first = after ? all.findIndex(({ id }) => id === after.id) + 1 : 0;
        const page = all.slice(first, first + Math.min(limit, 2));
        return {
          events: page.map((one) => ({ id: one.id, kind: eventKind(one), createdAt: one.createdAt })),
          isLast: first + 2 >= all.length,
        };
      },
      publishLoggedEvents: async ({ appId, since }) => {
        published.push(since);
        const events = logged.filter((one) => one.appId === appId && one.createdAt >= since);
        for (const { subject, payload } of durableMessages(events))
          await service.ctx.bus.publish(subject, payload, { msgId: randomUUID() });
        return {};
      },
    },
  });
});
beforeEach(() => ([logged, asked, published] = [[], [], []]));
afterAll(() => service?.stop());

async function newApp(): Promise<string> {
  const appId = randomUUID();
  await service.exports.registerKey({ appId, publicKey: keys.publicKey });
  const events = ['message.sent', 'message.deleted'];
  await service.exports.configureSchedule({ appId, interval: ExportInterval.DAILY, events, hourUtc: 0 });
  return appId;
}

const happen = (appId: string): Event => {
  const event = create(EventSchema, { id: newId(), ...message(appId, 'ann', clock.now() + 1) });
  logged.push(event);
  return event;
};

/** Counts all that the journal ever had: what was exported is deleted. */
function journalHas(appId: string, count: number) {
  const query = {
    text: 'select from journal_head where app_id = $1 and number = $2',
    values: [appId, count],
  };
  const isThere = async () => (await service.ctx.db.execute(query)) === 1 || undefined;
  return until(isThere, { withinMs: 30_000, what: `the journal has had ${count} events` });
}

/** Lets time pass until the service has asked for a period of the application once more; the last one that it asked for. */
async function untilCompared(appId: string) {
  const before = asked.length;
  const ofApp = () => asked.slice(before).findLast((one) => one.appId === appId);
  return until(
    () => {
      clock.advance(HOUR_MS);
      return ofApp();
    },
    { withinMs: 30_000, everyMs: 100, what: 'the journal is compared' },
  );
}

test('an event that got lost on its way to the journal comes within a day, and once', async () => {
  const appId = await newApp();
  const events = Array.from({ length: 5 }, () => happen(appId));
  const lost = events[3]!;
  await publish(service, events.filter((one) => one !== lost)); // prettier-ignore
  await journalHas(appId, 4);
  const first = await untilCompared(appId);
  await journalHas(appId, 5);
  expect(new Set(published)).toEqual(new Set([lost.createdAt]));
  published = [];
  // Each period begins where the last one ended.
  expect((await untilCompared(appId)).since).toBe(first.until);
  expect(published).toEqual([]);
  await journalHas(appId, 5);
}, 120_000);

test('events of which the journal has no entries are not missed', async () => {
  const appId = await newApp();
  logged.push(
    create(EventSchema, {
      ...{ id: newId(), appId, conversationId: newId(), createdAt: clock.now() + 1 },
      body: { case: 'messageHidden', value: {} },
    }),
  );
  expect(durableSubject(logged[0]!)).toContain('message.hidden');
  await untilCompared(appId);
  expect(published).toEqual([]);
}, 120_000);
