import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { HeadsSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';
import { until } from '@parley/stack/testing';
import { createLostTails } from '../../src/live/lost-tails.ts';
import { createRoom, send } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;

beforeAll(async () => void (service = await startMessaging()));
afterAll(() => service?.stop());

test('the time until which all is published stands at the oldest change that is not, and rolled back ones are forgotten', () => {
  let now = 100_000;
  const tails = createLostTails(() => now);
  const change = (createdAt: number) => [{ event: { createdAt } }];
  expect(tails.publishedUntil()).toBe(100_000);
  const first = tails.begin(change(100_001));
  const second = tails.begin(change(100_003));
  now = 100_005;
  expect(tails.publishedUntil()).toBe(100_001);
  first();
  expect(tails.publishedUntil()).toBe(100_003);
  second();
  expect(tails.publishedUntil()).toBe(100_005);
  tails.begin(change(100_005));
  now = 120_000;
  expect(tails.publishedUntil()).toBe(120_000);
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
