import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { HeadsSchema } from '@parley/proto/parley/live/v1/live_pb';
import { until } from '@parley/testing';
import { createRoom, send, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;

beforeAll(async () => void (service = await startMessaging()));
afterAll(() => service?.stop());

async function epochNow(): Promise<string> {
  return (await service.changeLog.getEpoch({})).epoch;
}

/** The last change of a conversation, as a gateway was told it. */
async function lastChange({ appId, conversationId }: Room): Promise<Event> {
  const { events } = await service.changeLog.listConversationEvents({ appId, conversationId, firstSeq: 1 });
  return events.at(-1)!;
}

type Told = Partial<Pick<Event, 'appId' | 'conversationId' | 'seq' | 'createdAt'>>;

/** Whether another epoch begins when a gateway was told this in the present one. */
async function beginsEpoch(told: Told): Promise<boolean> {
  const epoch = await epochNow();
  const { appId, conversationId, seq, createdAt } = told;
  const answer = await service.changeLog.getEpoch({
    epoch,
    told: [{ appId, conversationId, seq, createdAt }],
  });
  expect(await epochNow()).toBe(answer.epoch);
  return answer.epoch !== epoch;
}

test('live events and heads name the epoch of the database', async () => {
  const { bus, epochs } = service.ctx;
  await epochNow();
  const epoch = epochs.current();
  const labels = { event: new Set<string>(), heads: new Set<string>() };
  const room = await createRoom(service, ['ann', 'bob']);
  const subscriptions = [
    bus.subscribeLive(
      `live.${room.appId}.*.event`,
      (payload) => void labels.event.add(fromBinary(EventBatchSchema, payload).epoch),
    ),
    bus.subscribeLive(
      `live.${room.appId}.*.heads`,
      (payload) => void labels.heads.add(fromBinary(HeadsSchema, payload).epoch),
    ),
  ];
  await bus.flush();
  await send(service, room, 'ann');
  await until(() => labels.heads.size > 0 || undefined, { withinMs: 20_000, what: 'a head' });
  expect([epoch, [...labels.event], [...labels.heads]]).toEqual([expect.any(String), [epoch], [epoch]]);
  expect(epoch).not.toBe('');
  for (const subscription of subscriptions) subscription.close();
});

test('what was told and is stored, has expired, or went with its application, begins no epoch', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await send(service, room, 'ann');
  const told = await lastChange(room);
  expect(await beginsEpoch(told)).toBe(false);
  await service.ctx.db.execute({
    text: 'delete from change where app_id = $1 and conversation_id = $2 and seq = $3',
    values: [room.appId, room.conversationId, told.seq],
  });
  expect(await beginsEpoch(told)).toBe(false);
  const deleted = { ...told, appId: randomUUID(), conversationId: randomUUID() };
  await service.ctx.db.execute({
    text: 'insert into app_tombstone (app_id, deleted_at) values ($1, now())',
    values: [deleted.appId],
  });
  expect(await beginsEpoch(deleted)).toBe(false);
});

test.each<[string, (told: Event) => Told]>([
  ['that its conversation has not reached', (told) => ({ ...told, seq: told.seq + 1 })],
  ['whose number another change has', (told) => ({ ...told, createdAt: told.createdAt - 1 })],
  ['of a conversation that is not there', (told) => ({ ...told, conversationId: randomUUID() })],
])(
  'a change that was told %s begins an epoch, and what was told in the one before begins no other',
  async (_, change) => {
    const room = await createRoom(service, ['ann', 'bob']);
    await send(service, room, 'ann');
    const told = await lastChange(room);
    const before = await epochNow();
    expect(await beginsEpoch(change(told))).toBe(true);
    const { appId, conversationId, seq, createdAt } = change(told) as Event;
    const again = { epoch: before, told: [{ appId, conversationId, seq, createdAt }] };
    expect((await service.changeLog.getEpoch(again)).epoch).toBe(await epochNow());
  },
);

test('a replay that reaches back before the epoch is not complete, and one that does not is; the cache is empty', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await send(service, room, 'ann');
  const { appId, conversationId } = room;
  const cached = () => service.ctx.conversationCache.find(appId, conversationId);
  expect(cached()).toBeDefined();
  const isComplete = async (fromTimestamp: number) =>
    (await service.changeLog.listUserEvents({ appId, userId: 'bob', fromTimestamp })).complete;
  const before = service.ctx.clock.now();
  expect(await isComplete(before)).toBe(true);
  expect(await beginsEpoch({ ...room, seq: 99, createdAt: 1 })).toBe(true);
  expect(cached()).toBeUndefined();
  expect(await isComplete(before - 1)).toBe(false);
  expect(await isComplete(service.ctx.epochs.beganAt() + 1)).toBe(true);
  await send(service, room, 'bob');
});
