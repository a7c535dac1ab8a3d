import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { connectBus, type Bus } from '@parley/kit/bus';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { keepNatsFiles, startNats, until, type TestNats } from '@parley/testing';
import { createRoom, draft, send } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let nats: TestNats;
let service: TestMessaging;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  service = await startMessaging({ natsUrl: nats.url });
  bus = await connectBus({
    url: nats.url,
    name: 'test',
    log: createLogger({ service: 'test', level: 'silent' }),
  });
});
afterAll(async () => {
  await bus.close();
  await service.stop();
  await nats.stop();
});

/** Reads the whole stream as a new consumer. */
async function readStream(fits: (events: Event[]) => boolean, withinMs = 15_000): Promise<Event[]> {
  const events: Event[] = [];
  const consumer = bus.consume({
    stream: 'EVENTS',
    durable: `test-${randomUUID()}`,
    filter: 'event.>',
    handle(messages) {
      for (const { payload } of messages) events.push(...fromBinary(EventBatchSchema, payload).events);
      return Promise.resolve(messages.map(() => 'ack'));
    },
  });
  await until(() => (fits(events) ? true : undefined), { withinMs, what: 'the events are there' });
  await consumer.stop();
  return events;
}

test('a wiped stream is refilled from the change log under the same ids, without deleted bodies', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const other = await createRoom(service, ['cem', 'dan']);
  const kept = await send(service, room, 'ann', draft(room, 'ann', {}));
  const gone = await send(service, other, 'cem');
  await service.messaging.deleteMessage({ appId: other.appId, id: gone.id, mode: 1 });
  const before = await readStream((events) => events.length >= 5);

  await nats.kill();
  await rm(nats.storeDir, { recursive: true });
  await nats.restart();

  const after = await readStream((events) => events.length >= 4);
  const named = (events: Event[]) => events.map(({ id, body }) => `${id} ${body.case}`).sort();
  const deleted = before.find(
    ({ body }) => body.case === 'messageCreated' && body.value.message?.id === gone.id,
  );
  expect(named(after)).toEqual(named(before.filter((event) => event !== deleted)));
  const bodies = after.flatMap(({ body }) => (body.case === 'messageCreated' ? [body.value.message] : []));
  expect(bodies).toMatchObject([{ id: kept.id, parts: [{ body: 'hello' }], sender: { displayName: 'ANN' } }]);
}, 60_000);

test('a stream that comes back older gets what it lost again: changes, and pushes that no log has', async () => {
  const room = await createRoom(service, ['phone-eve', 'phone-fay']);
  await send(service, room, 'phone-eve');
  await untilNothingWaits();
  const comeBack = await keepNatsFiles(nats);
  await until(() => service.ctx.bus.connected || undefined, { withinMs: 60_000, what: 'NATS is back' });
  const lost = await send(service, room, 'phone-eve', { notification: { title: 'Eve', text: 'hello' } });
  const isPush = ({ body }: Event) =>
    body.case === 'pushRequested' && body.value.messageId === lost.id && body.value.userId === 'phone-fay';
  const isChange = ({ body }: Event) =>
    body.case === 'messageCreated' &&
    body.value.message?.id === lost.id &&
    body.value.message.parts.length > 0;
  const before = await readStream((events) => events.some(isPush) && events.some(isChange));
  await untilNothingWaits();
  await comeBack();
  const after = await readStream((events) => events.some(isPush) && events.some(isChange), 60_000);
  for (const fits of [isPush, isChange]) expect(after.find(fits)?.id).toBe(before.find(fits)?.id);
}, 240_000);

/** Nothing is to be published, nor to be pushed. */
function untilNothingWaits(): Promise<true> {
  const text = 'select from outbox union all select from push_order';
  const isDone = async () => (await service.ctx.db.execute({ text })) === 0 || undefined;
  return until(isDone, { withinMs: 60_000, what: 'nothing waits' });
}
