import { randomUUID } from 'node:crypto';
import { createTestClock } from '@parley/kit/runtime/clock';
import { fromBinary } from '@bufbuild/protobuf';
import { HeadsSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';
import { until } from '@parley/testing';
import { createPublisherLiveness } from '../../src/live/publisher-liveness.ts';
import { createRoom, send, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;

beforeAll(async () => void (service = await startMessaging()));
afterAll(() => service?.stop());

const change = (createdAt: number, seq = 1, conversationId = 'c') => [
  { event: { appId: 'a', conversationId, seq, createdAt } },
];

test('the time until which all is published stands at the oldest change that is not, and rolled back ones are forgotten', () => {
  const clock = createTestClock(100_000);
  const tails = createPublisherLiveness(clock);
  expect(tails.publishedUntil()).toBe(100_000);
  const first = tails.begin(change(100_001));
  const second = tails.begin(change(100_003));
  clock.advance(5);
  expect(tails.publishedUntil()).toBe(100_001);
  first.published();
  expect(tails.publishedUntil()).toBe(100_003);
  second.published();
  expect(tails.publishedUntil()).toBe(100_005);
  tails.begin(change(100_005));
  clock.advance(19_995);
  expect(tails.publishedUntil()).toBe(120_000);
});

test('a commit whose answer was lost is in doubt, once for each conversation, until all of it is settled', () => {
  const clock = createTestClock(100_000);
  const tails = createPublisherLiveness(clock);
  const tail = tails.begin([...change(100_001, 4), ...change(100_001, 5), ...change(100_002, 9, 'd')]);
  tail.doubt();
  clock.advance(60_000);
  expect(tails.publishedUntil()).toBe(100_001);
  const [first, second] = tails.doubts();
  expect(tails.doubts()).toMatchObject([
    { conversationId: 'c', seq: 4 },
    { conversationId: 'd', seq: 9 },
  ]);
  first?.settle();
  first?.settle();
  expect(tails.publishedUntil()).toBe(100_001);
  second?.settle();
  expect([tails.doubts(), tails.publishedUntil()]).toEqual([[], 160_000]);
});

test('the head of a conversation is published when its doubtful change is stored, and not when it was rolled back', async () => {
  const { bus, publisherLiveness } = service.ctx;
  const { appId, conversationId } = await createRoom(service, ['ann', 'bob']);
  const untouched = await createRoom(service, ['ann', 'bob']);
  const heads: Head[] = [];
  const subscription = bus.subscribeLive(
    'live.*.*.heads',
    (payload) => void heads.push(...fromBinary(HeadsSchema, payload).heads),
  );
  await bus.flush();
  await send(service, { appId, conversationId }, 'ann');
  const ofRoom = () => heads.filter((head) => head.conversationId === conversationId);
  await until(() => ofRoom()[0], { withinMs: 10_000, what: 'the head that follows each change' });
  heads.length = 0;
  const note = (ref: Pick<Room, 'appId' | 'conversationId'>, seq: number) =>
    publisherLiveness.begin([{ event: { ...ref, seq, createdAt: service.ctx.clock.now() } }]).doubt();
  note({ appId, conversationId }, 2);
  note({ appId: untouched.appId, conversationId: untouched.conversationId }, 2);
  expect(await until(() => ofRoom()[0], { withinMs: 10_000, what: 'the head is published' })).toMatchObject({
    firstSeq: 2,
    seq: 2,
  });
  await until(() => publisherLiveness.doubts().length === 0 || undefined, {
    withinMs: 20_000,
    what: 'all is settled',
  });
  expect(heads.map((head) => head.conversationId)).not.toContain(untouched.conversationId);
  subscription.close();
});

test('when a process is gone, the heads of the conversations that changed at its end are published', async () => {
  const { bus, db } = service.ctx;
  const untouched = await createRoom(service, ['ann', 'bob']);
  const room = await createRoom(service, ['ann', 'bob']);
  await db.execute({
    text: `update change set created_at = created_at - interval '1 hour' where app_id = $1`,
    values: [untouched.appId],
  });
  const heads: Head[] = [];
  const subscription = bus.subscribeLive(
    'live.*.*.heads',
    (payload) => void heads.push(...fromBinary(HeadsSchema, payload).heads),
  );
  await bus.flush();
  const since = Date.now();
  await send(service, room, 'ann');
  await send(service, room, 'bob');
  const ofRoom = () => heads.filter(({ conversationId }) => conversationId === room.conversationId);
  await until(() => ofRoom()[0], {
    withinMs: 10_000,
    what: 'the head that the living process publishes is received',
  });
  heads.length = 0;
  const id = randomUUID();
  await db.execute({
    text: `
      insert into live_publisher (id, published_until, seen_at)
      values ($1, to_timestamp($2::float8 / 1000), clock_timestamp() - interval '11 seconds')`,
    values: [id, since],
  });
  const head = await until(() => ofRoom()[0], { withinMs: 15_000, what: 'the head is published again' });
  expect(head).toMatchObject({ firstSeq: 2, seq: 3 });
  expect(heads.map(({ conversationId }) => conversationId)).not.toContain(untouched.conversationId);
  const isForgotten = async () =>
    (await db.query({ text: 'select from live_publisher where id = $1', values: [id] })).length === 0 ||
    undefined;
  await until(isForgotten, { withinMs: 15_000, what: 'the process is forgotten' });
  subscription.close();
});

test('a lost process whose repair fails keeps no other one from being repaired', async () => {
  const { bus, db } = service.ctx;
  const room = await createRoom(service, ['ann', 'bob']);
  const heads: Head[] = [];
  const subscription = bus.subscribeLive(
    'live.*.*.heads',
    (payload) => void heads.push(...fromBinary(HeadsSchema, payload).heads),
  );
  await bus.flush();
  const ofRoom = () => heads.filter(({ conversationId }) => conversationId === room.conversationId);
  const since = Date.now();
  await send(service, room, 'ann');
  await until(() => ofRoom()[0], { withinMs: 10_000, what: 'the head that the living process publishes' });
  heads.length = 0;
  const ids = { endless: randomUUID(), first: randomUUID(), past: randomUUID(), last: randomUUID() };
  // Of the last second that Postgres knows: what follows it cannot be asked for.
  const failing = `'294276-12-31 23:59:59Z'::timestamptz`;
  await db.execute({
    text: `
      insert into live_publisher (id, published_until, seen_at)
      select id, published_until, clock_timestamp() - interval '11 seconds'
      from (values ($1::uuid, 'infinity'), ($2, ${failing}), ($3, to_timestamp($5::float8 / 1000)), ($4, ${failing}))
        as lost (id, published_until)`,
    values: [ids.endless, ids.first, ids.past, ids.last, since],
  });
  await until(() => ofRoom()[0], { withinMs: 20_000, what: 'the head is published again' });
  const left = async () => {
    const lost = Object.values(ids);
    const rows = await db.query<{ id: string }>({
      text: 'select id from live_publisher where id = any ($1::uuid[])',
      values: [lost],
    });
    return rows.map(({ id }) => id).sort();
  };
  const stays = [ids.first, ids.last].sort();
  await until(async () => (await left()).length === 2 || undefined, {
    withinMs: 15_000,
    what: 'those that are repaired are forgotten',
  });
  expect(await left()).toEqual(stays);
  subscription.close();
});
