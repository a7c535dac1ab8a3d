import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import { until } from '@parley/testing';
import { pushRequested } from './support/events.ts';
import { startPushes, type DeliveryRow, type Platform } from './support/platform.ts';

let platform: Platform;
let appId: string;
let events: Event[];
let subscription: { close(): void };

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  appId = randomUUID();
  events = [];
  const { bus } = platform.ctx;
  subscription = bus.subscribeLive(
    `event.${appId}.push.settled`,
    (payload) => void events.push(...fromBinary(EventBatchSchema, payload).events),
  );
  await bus.flush();
});
afterEach(() => subscription.close());

/** The deliveries by user, once all are settled. */
async function untilNonePending(): Promise<Map<string, DeliveryRow>> {
  const query = { text: 'select * from delivery where app_id = $1', values: [appId] };
  const rows = await until(
    async () => {
      const found = await platform.ctx.db.query<DeliveryRow>(query);
      const isSettled = found.every(({ status }) => status !== PushDeliveryStatus.PENDING);
      return found.length === 4 && isSettled ? found : undefined;
    },
    { withinMs: 20_000, what: 'no delivery is pending' },
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}

test('a push whose result is awaited has one event when it is delivered, or fails for good, and none when it is dropped', async () => {
  const [delivered, gone, read, unawaited] = await Promise.all(
    ['bob', 'cem', 'dan', 'eve'].map((userId) => platform.subscribe(appId, userId)),
  );
  let failures = 1;
  platform.web.respond = ({ endpoint }, response) => {
    if (endpoint === gone!.token) return response.writeHead(410).end('no such device');
    if (endpoint !== delivered!.token || failures === 0) return response.writeHead(201).end();
    failures -= 1;
    return response.writeHead(503).end();
  };
  const requests = [delivered!, gone!, read!].map((device) =>
    pushRequested(appId, [device], { isAwaited: true }),
  );
  const [first, second, third] = requests.map(({ body }) => body.value);
  platform.known.unwanted.add(third!.messageId);
  await platform.publish(...requests, pushRequested(appId, [unawaited!]));
  await until(
    () => {
      platform.clock.advance(1000);
      return events.length === 2 || undefined;
    },
    { withinMs: 20_000, what: 'both results are published' },
  );
  const rows = await untilNonePending();
  expect(Object.fromEntries([...rows].map(([userId, { status }]) => [userId, status]))).toEqual({
    bob: PushDeliveryStatus.DELIVERED,
    cem: PushDeliveryStatus.DEAD,
    dan: PushDeliveryStatus.DROPPED,
    eve: PushDeliveryStatus.DELIVERED,
  });
  const outbox = { text: 'select from outbox' };
  await until(async () => (await platform.ctx.db.execute(outbox)) === 0 || undefined, {
    withinMs: 20_000,
    what: 'nothing is left to be published',
  });
  await platform.ctx.bus.flush();
  const byRecipient = new Map(
    events.map(({ id, body }) => {
      if (body.case !== 'pushSettled') throw new Error(`unexpected event ${body.case ?? ''}`);
      return [body.value.recipient?.userId, { id, ...body.value }];
    }),
  );
  expect(events).toHaveLength(2);
  expect(byRecipient.get('bob')).toMatchObject({
    ...{ id: rows.get('bob')!.id, delivered: true, attempts: 2, provider: 'web' },
    ...{ deviceId: delivered!.deviceId, messageId: first!.messageId, conversationId: first!.conversationId },
    recipient: { userId: 'bob', incarnation: 3 },
  });
  expect(byRecipient.get('cem')).toMatchObject({
    ...{ id: rows.get('cem')!.id, delivered: false, attempts: 1, reason: '410 no such device' },
    messageId: second!.messageId,
  });
});
