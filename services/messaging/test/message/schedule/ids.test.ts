import { randomUUID } from 'node:crypto';
import { until } from '@parley/testing';
import { createRoom, draft, listAll, trySend, type Room } from '../../support/actions.ts';
import { startMessaging, type TestMessaging } from '../../support/service.ts';

const DELAY_MS = 1500;

let service: TestMessaging;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service?.stop());

function createIds(): string[] {
  return Array.from({ length: 30 }, () => randomUUID());
}

async function trySchedule(room: Room, id: string): Promise<string> {
  const { outcome } = await service.schedules.scheduleMessage({
    draft: draft(room, 'ann', { id }),
    delayMs: DELAY_MS,
  });
  return String(outcome.case);
}
function tryDirect(room: Room, id: string) {
  return trySend(service, draft(room, 'bob', { id, byServer: true }));
}

/** Makes both calls at once, either of them first, and returns the outcome of each. */
function race(ids: string[], scheduledIn: Room, sentTo: Room) {
  return Promise.all(
    ids.map(async (id, index) => {
      const calls = [() => trySchedule(scheduledIn, id), () => tryDirect(sentTo, id)];
      const isReversed = index % 2 === 1;
      const order = isReversed ? calls.toReversed() : calls;
      const outcomes = await Promise.all(order.map((begin) => begin()));
      const [scheduled, direct] = isReversed ? outcomes.toReversed() : outcomes;
      return { id, scheduled, direct };
    }),
  );
}

async function isSent(room: Room): Promise<boolean> {
  const { messages } = await service.schedules.listScheduledMessages({ ...room, pageSize: 1 });
  return messages.length === 0;
}

function untilSent(room: Room) {
  return until(async () => (await isSent(room)) || undefined, {
    withinMs: 15_000,
    what: 'everything that is due is sent',
  });
}

/** Ids of stored messages with their senders; no more than one page is stored here. */
async function listStored(room: Room): Promise<Map<string, string | undefined>> {
  const { messages } = await listAll(service, room, 'ann');
  expect(messages.map(({ message }) => message.position)).toEqual(
    Array.from({ length: messages.length }, (_, index) => messages.length - index),
  );
  return new Map(messages.map(({ message }) => [message.id, message.sender?.userId]));
}

test('of two concurrent calls with one id, one of them scheduled, only one is accepted and takes effect', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  for (let round = 0; round < 3; round++) {
    const results = await race(createIds(), room, room);
    await untilSent(room);
    const stored = await listStored(room);
    for (const { id, scheduled, direct } of results) {
      expect([
        ['scheduled', 'duplicate'],
        ['duplicate', 'sent'],
      ]).toContainEqual([scheduled, direct]);
      expect(stored.get(id)).toBe(scheduled === 'scheduled' ? 'ann' : 'bob');
    }
    expect(stored.size).toBe(results.length * (round + 1));
  }
}, 60_000);

test('one id in two conversations becomes one message, too, and wastes no position', async () => {
  const here = await createRoom(service, ['ann', 'bob']);
  const there = await createRoom(service, ['ann', 'bob'], here.appId);
  const results = await race(createIds(), here, there);
  await untilSent(here);
  const [scheduled, sent] = [await listStored(here), await listStored(there)];
  for (const { id, direct } of results) {
    expect([scheduled.has(id), sent.has(id)]).toEqual([direct !== 'sent', direct === 'sent']);
  }
});

test.each(['the same conversation', 'another conversation'])(
  'a scheduled message that is due while its id is sent to %s is stored, and the other send is refused',
  async (where) => {
    const room = await createRoom(service, ['ann', 'bob']);
    const other =
      where === 'the same conversation' ? room : await createRoom(service, ['ann', 'bob'], room.appId);
    const ids = createIds();
    for (const id of ids) expect(await trySchedule(room, id)).toBe('scheduled');
    const outcomes: string[] = [];
    for (let areSent = false; !areSent;) {
      areSent = await isSent(room);
      outcomes.push(...(await Promise.all(ids.map((id) => tryDirect(other, id)))));
    }
    expect(new Set(outcomes)).toEqual(new Set(['duplicate']));
    const stored = await listStored(room);
    expect(ids.map((id) => stored.get(id))).toEqual(ids.map(() => 'ann'));
    expect(stored.size).toBe(ids.length);
  },
  30_000,
);
