import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { createEarlyDelivery } from './early-delivery.ts';
import { createConversationStreams } from './streams.ts';

const eventOf = (seq: number): Event =>
  create(EventSchema, {
    appId: 'a',
    conversationId: 'c',
    seq,
    body: { case: 'messageCreated', value: {} },
  });

/** Streams whose bus loses nothing; `slow` deliveries take a turn of the event loop. */
function start(slow: ReadonlySet<number> = new Set()) {
  const delivered: number[] = [];
  const fetched: number[][] = [];
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const streams = createConversationStreams({
    deliver({ seq }) {
      if (!slow.has(seq)) return void delivered.push(seq);
      return turn().then(() => void delivered.push(seq));
    },
    fetch(_app, _conversation, first, last) {
      fetched.push([first, last]);
      return Promise.resolve([]);
    },
    isFollowed: () => true,
    now: () => 0,
    failed,
  });
  const bus = { connected: true };
  const early = createEarlyDelivery({ streams, bus, failed });
  return { bus, streams, early, delivered, fetched, failures };
}

/** Until deliveries that were begun have ended. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 30; turns += 1) await turn();
}

test('an event is delivered before the bus brings it, at the end of the turn, and once', async () => {
  const { streams, early, delivered } = start();
  streams.event(eventOf(1));
  early(eventOf(2));
  early(eventOf(3));
  expect(delivered).toEqual([1]);
  await turn();
  expect(delivered).toEqual([1, 2, 3]);
  streams.event(eventOf(2));
  streams.event(eventOf(3));
  expect(delivered).toEqual([1, 2, 3]);
});

test('an event that is not the next one is left to the bus, and nothing is fetched', async () => {
  const { streams, early, delivered, fetched } = start();
  early(eventOf(7));
  await turn();
  streams.event(eventOf(1));
  early(eventOf(3));
  await turn();
  expect([delivered, fetched]).toEqual([[1], []]);
});

test('while the bus is away nothing is delivered early', async () => {
  const { bus, streams, early, delivered } = start();
  streams.event(eventOf(1));
  bus.connected = false;
  early(eventOf(2));
  await turn();
  expect(delivered).toEqual([1]);
  bus.connected = true;
  streams.event(eventOf(2));
  expect(delivered).toEqual([1, 2]);
});

test('nothing is left of a copy that the bus brings while an early delivery waits for its audience', async () => {
  const { streams, early, delivered, fetched } = start(new Set([2]));
  streams.event(eventOf(1));
  early(eventOf(2));
  await turn();
  streams.event(eventOf(2));
  await settled();
  expect(delivered).toEqual([1, 2]);
  streams.event(eventOf(9));
  await settled();
  // What is left of 2 would split the range.
  expect(fetched).toEqual([[3, 8]]);
});

test('a delivery that fails is reported, and the others go on', async () => {
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const offered: number[] = [];
  const early = createEarlyDelivery({
    failed,
    bus: { connected: true },
    streams: {
      offer({ seq }) {
        offered.push(seq);
        if (seq === 1) throw new Error('cannot be delivered');
      },
    },
  });
  early(eventOf(1));
  early(eventOf(2));
  await turn();
  expect(offered).toEqual([1, 2]);
  expect(failures).toEqual([new Error('cannot be delivered')]);
});

test('whatever comes first of bus and answer, each event is delivered once and in order', async () => {
  const count = 12;
  const numbers = fc.integer({ min: 1, max: count });
  const steps = fc.array(fc.oneof(fc.constant('bus' as const), fc.constant('turn' as const), numbers), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.array(numbers), async (given, slow) => {
      const { streams, early, delivered, fetched, failures } = start(new Set(slow));
      let arrived = 0;
      for (const step of given) {
        if (step === 'turn') await turn();
        else if (step !== 'bus') early(eventOf(step));
        else if (arrived < count) streams.event(eventOf((arrived += 1)));
      }
      while (arrived < count) streams.event(eventOf((arrived += 1)));
      await settled();
      expect(delivered).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect([fetched, failures]).toEqual([[], []]);
    }),
  );
});
