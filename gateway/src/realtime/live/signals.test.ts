import { create, toBinary } from '@bufbuild/protobuf';
import { createWire } from '@parley/domain/wire';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { AudienceSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { PacketSink } from './render/recipients.ts';
import { createTypingSignals, type TypingSignals } from './signals.ts';

const appId = '01970000-0000-7000-8000-000000000001';
const conversationId = '01970000-0000-7000-8000-000000000002';

let clock: TestClock;
let signals: TypingSignals;
let packets: string[];
let isReachable: boolean;
/** Delays the next audience until it resolves. */
let held: Promise<void> | undefined;

beforeEach(() => {
  clock = createTestClock(0);
  packets = [];
  isReachable = true;
  held = undefined;
  const push: PacketSink['push'] = (_, { json }) => {
    const { data } = JSON.parse(json) as { data: { action: string } };
    packets.push(`${clock.now()} ${data.action}`);
  };
  const members = ['ann', 'bob'].map((userId) => ({ identity: { userId }, joinedSeq: 1 }));
  const audience = create(AudienceSchema, { appId, conversationId, members });
  signals = createTypingSignals({
    hub: { usersOf: () => new Map([['bob', new Set([{ push }])]]) },
    audiences: {
      current: async () => {
        const until = held;
        held = undefined;
        await until;
        if (!isReachable) throw new Error('away');
        return audience;
      },
    },
    view: { wire: createWire('svc'), baseUrl: 'http://gateway.test', audience: 'client', appId: '' },
    clock,
    failed: () => undefined,
  });
});
afterEach(() => signals.stop());

/** Settled promises have had their effect. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const receive = async (action: Typing_Action, lastsMs = 0, hiddenFrom: string[] = []): Promise<void> => {
  const value = { action, lastsMs, hiddenFrom, sender: { userId: 'ann' } };
  const signal = create(SignalSchema, { conversationId, kind: { case: 'typing', value } });
  signals.receive(toBinary(SignalSchema, signal), appId);
  await settled();
};
const pass = async (ms: number): Promise<void> => {
  clock.advance(ms);
  await settled();
};

test('typing without an end is finished by the gateway, once', async () => {
  await receive(Typing_Action.STARTED);
  await pass(9_999);
  expect(packets).toEqual(['0 started']);
  await pass(1);
  await pass(60_000);
  expect(packets).toEqual(['0 started', '10000 finished']);
});

test('typing lasts as long as its signal says', async () => {
  await receive(Typing_Action.STARTED, 60_000);
  await pass(69_999);
  expect(packets).toEqual(['0 started']);
  await pass(1);
  expect(packets).toEqual(['0 started', '70000 finished']);
});

test('typing that is ended or begun again is not finished by the gateway', async () => {
  await receive(Typing_Action.STARTED);
  await receive(Typing_Action.FINISHED);
  await pass(60_000);
  await receive(Typing_Action.STARTED);
  await pass(9_000);
  await receive(Typing_Action.STARTED);
  await pass(9_000);
  expect(packets.map((one) => one.split(' ')[1])).toEqual(['started', 'finished', 'started', 'started']);
});

test('typing that is paused, and not continued, is finished by the gateway', async () => {
  await receive(Typing_Action.STARTED);
  await pass(9_000);
  await receive(Typing_Action.PAUSED);
  await pass(9_999);
  await pass(1);
  expect(packets).toEqual(['0 started', '9000 paused', '19000 finished']);
});

test('the `finished` of the gateway of a user whose typing has ended here is not pushed again, and their next typing is', async () => {
  await receive(Typing_Action.STARTED);
  await pass(10_000);
  await receive(Typing_Action.FINISHED);
  await receive(Typing_Action.STARTED);
  await receive(Typing_Action.FINISHED);
  expect(packets).toEqual(['0 started', '10000 finished', '10000 started', '10000 finished']);
});

const membersChange = (change: { added?: string[]; removedUserIds?: string[] }): void => {
  const value = {
    removedUserIds: change.removedUserIds ?? [],
    added: (change.added ?? []).map((userId) => ({ userId })),
  };
  const body = { case: 'conversationUpdated' as const, value };
  signals.membersChanged(create(EventSchema, { appId, conversationId, body }));
};

test.each([['started', Typing_Action.STARTED] as const, ['paused', Typing_Action.PAUSED] as const])(
  'a user who has %s typing and is removed stops at once, and a late signal of theirs is dropped',
  async (name, action) => {
    await receive(action);
    await pass(2_000);
    membersChange({ removedUserIds: ['ann'] });
    await settled();
    await receive(Typing_Action.STARTED);
    await receive(Typing_Action.FINISHED);
    await pass(60_000);
    expect(packets).toEqual([`0 ${name}`, '2000 finished']);
  },
);

test('a removed user who comes back within a second types as before', async () => {
  await receive(Typing_Action.STARTED);
  membersChange({ removedUserIds: ['ann'] });
  membersChange({ added: ['ann'] });
  await settled();
  await receive(Typing_Action.STARTED);
  await pass(10_000);
  expect(packets).toEqual(['0 started', '0 finished', '0 started', '10000 finished']);
});

test('the removal of a user who does not type is no signal', async () => {
  membersChange({ removedUserIds: ['ann'] });
  await settled();
  await pass(60_000);
  expect(packets).toEqual([]);
});

test('a `finished` that could not be pushed is pushed later', async () => {
  await receive(Typing_Action.STARTED);
  isReachable = false;
  await receive(Typing_Action.FINISHED);
  await pass(10_000);
  isReachable = true;
  await pass(1_000);
  expect(packets).toEqual(['0 started', '11000 finished']);
});

test('typing that is begun again while its end is being pushed is finished by the gateway', async () => {
  await receive(Typing_Action.STARTED);
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await receive(Typing_Action.FINISHED);
  await receive(Typing_Action.STARTED);
  resolve();
  await settled();
  await pass(10_000);
  expect(packets).toEqual(['0 started', '0 finished', '0 started', '10000 finished']);
});

test('the end of typing does not overtake its start, whose audience takes longer to find', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await receive(Typing_Action.STARTED);
  await receive(Typing_Action.FINISHED);
  resolve();
  await settled();
  await pass(60_000);
  expect(packets).toEqual(['0 started', '0 finished']);
});

test('who blocks the typing user sees nothing, and an indicator that they saw begin ends', async () => {
  await receive(Typing_Action.STARTED, 0, ['bob']);
  await receive(Typing_Action.FINISHED, 0, ['bob']);
  await receive(Typing_Action.STARTED, 0, ['cid']);
  await receive(Typing_Action.STARTED, 0, ['bob']);
  await receive(Typing_Action.PAUSED, 0, ['bob']);
  await receive(Typing_Action.STARTED);
  await receive(Typing_Action.FINISHED, 0, ['bob']);
  await receive(Typing_Action.STARTED, 0, ['bob']);
  await pass(60_000);
  expect(packets).toEqual(['0 started', '0 finished', '0 started', '0 finished']);
});
