import { fromBinary } from '@bufbuild/protobuf';
import { connectBus, type Bus } from '@parley/kit/bus';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { testNats, until } from '@parley/testing';
import { createRoom, draft, listAll, type Room } from '../../support/actions.ts';
import { createHolder, type Holder } from '../../support/hold.ts';
import { add, remove, type Operation } from '../../support/patches.ts';
import { startMessaging, type TestMessaging } from '../../support/service.ts';

let clock: TestClock;
let service: TestMessaging;
let holder: Holder;
let bus: Bus;

beforeAll(async () => {
  clock = createTestClock(Date.UTC(2030, 0, 1));
  service = await startMessaging({ clock });
  holder = createHolder(service);
  const log = createLogger({ service: 'test', level: 'error' });
  bus = await connectBus({ url: await testNats(), name: 'test', log });
});
afterAll(async () => {
  await bus?.close();
  await holder?.db.close();
  await service?.stop();
});

async function schedule(room: Room, senderId: string, typingMs?: number): Promise<void> {
  const message = draft(room, senderId, { byServer: true });
  const { outcome } = await service.schedules.scheduleMessage({ draft: message, delayMs: 3000, typingMs });
  expect(outcome.case).toBe('scheduled');
}
const patch = ({ appId, conversationId: id }: Room, operation: Operation) =>
  service.messaging.updateConversation({ appId, id, operations: [operation] });
const rows = async () => (await service.ctx.db.query({ text: 'select id from scheduled_message' })).length;
const untilDropped = () =>
  until(async () => ((await rows()) === 0 ? true : undefined), { withinMs: 30_000, what: 'dropped' });

test('what the removal of its sender could not drop is not sent in their next membership, nor for a bot that is out', async () => {
  const room = await createRoom(service, ['ann', 'bob', 'bot']);
  await schedule(room, 'ann');
  await schedule(room, 'bot');
  // As a process does that shows the typing of a sender.
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: noteHeld } = Promise.withResolvers<void>();
  const holding = holder.db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await tx.execute({ text: 'select from scheduled_message for update' });
    noteHeld();
    await held;
  }, HELD);
  await isHeld;
  await patch(room, remove('ann'));
  await patch(room, add('ann'));
  await patch(room, remove('bot'));
  release();
  await holding;
  expect(await rows()).toBe(2);
  clock.advance(3000);
  await untilDropped();
  expect((await listAll(service, room, 'bob')).total).toBe(0);
});

test('the erasure of its sender drops it, and ends the typing', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const published: string[] = [];
  const subscription = bus.subscribeLive(`live.${room.appId}.>`, (payload, subject) => {
    if (!subject.endsWith('.signal')) return;
    const { kind } = fromBinary(SignalSchema, payload);
    if (kind.case === 'typing') published.push(Typing_Action[kind.value.action]);
  });
  await bus.flush();
  const untilSignal = (signal: string) =>
    until(() => (clock.advance(0), published.includes(signal) ? true : undefined), {
      withinMs: 30_000,
      what: signal,
    });
  await schedule(room, 'ann', 3000);
  await untilSignal('STARTED');
  const identity = { appId: room.appId, userId: 'ann', version: 50, incarnation: 50, deleted: true };
  await service.copies.applyErasure({ identity, blocksUntil: 0 });
  expect(await rows()).toBe(0);
  await untilSignal('FINISHED');
  subscription.close();
});
