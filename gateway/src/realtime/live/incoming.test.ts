import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { createTestClock } from '@parley/kit/runtime/clock';
import { EventBatchSchema, type EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { PresenceWatchers } from '../presence/watchers.ts';
import type { Connection } from '../connection/connection.ts';
import { startTracing } from '@parley/kit/runtime/telemetry/tracing';
import { startCollector } from '@parley/kit/testing/collector';
import { createHub, type Hub } from '../connection/hub.ts';
import { createIncoming } from './incoming.ts';
import type { TypingSignals } from './signals.ts';
import type { ConversationStreams } from './streams.ts';

type Init = MessageInitShape<typeof EventSchema>;

function batch(...events: Init[]): Uint8Array {
  return toBinary(EventBatchSchema, create(EventBatchSchema, { events }));
}

function numbered(...seqs: number[]): Uint8Array {
  return batch(...seqs.map((seq): Init => ({ appId: 'a', conversationId: 'c', seq })));
}

type Received = {
  seqs: number[];
  dispatched: number;
  hub: Hub;
  receive(...payloads: Uint8Array[]): void;
  receiveTraced(payload: Uint8Array, trace: string): void;
  /** Receives an event in the answer to a send. */
  answer(payload: Uint8Array): void;
};

const CONNECTION = { caller: { appId: 'a', userId: 'u' } } as Partial<Connection> as Connection;

/** Records the numbers of the events that the streams get, and how many events are delivered at once. */
function start(): Received {
  const hub = createHub();
  hub.add(CONNECTION);
  const options: Partial<Parameters<typeof createIncoming>[0]> = {
    hub,
    clock: createTestClock(0),
    epochs: { isCurrent: () => true, suspect: () => undefined, told: () => undefined },
    streams: {
      isNext: ({ seq }) => seq === (received.seqs.at(-1) ?? 0) + 1,
      event: ({ seq }) => void received.seqs.push(seq),
    } as Partial<ConversationStreams> as ConversationStreams,
    presence: {} as PresenceWatchers,
    signals: {} as TypingSignals,
    dispatch: () => void (received.dispatched += 1),
  };
  const { handlers, answered } = createIncoming(options as Parameters<typeof createIncoming>[0]);
  const received: Received = {
    ...{ seqs: [], dispatched: 0, hub },
    receive(...payloads) {
      for (const payload of payloads) handlers.event(payload, 'a');
    },
    receiveTraced: (payload, trace) => handlers.event(payload, 'a', trace),
    answer: (payload) => answered('a', payload),
  };
  return received;
}

function receive(...payloads: Uint8Array[]): Received {
  const received = start();
  received.receive(...payloads);
  return received;
}

test('a batch that arrives once for each of several shards is decoded once', () => {
  const [one, two] = [numbered(1, 2), numbered(3)];
  expect(receive(one, two, one, two, one).seqs).toEqual([1, 2, 3]);
});

test('a batch that differs in anything is another one', () => {
  expect(receive(numbered(1, 2), numbered(1, 3), numbered(1)).seqs).toEqual([1, 2, 1, 3, 1]);
});

test('the event of an answer is delivered if it is the next one, and its copy by NATS is dropped', () => {
  const { answer, receive: arrive, seqs } = start();
  answer(numbered(1));
  answer(numbered(1));
  arrive(numbered(1));
  expect(seqs).toEqual([1]);
});

test('the event of an answer is left to NATS if it is not the next one', () => {
  const { answer, receive: arrive, seqs } = start();
  answer(numbered(2));
  arrive(numbered(1), numbered(2));
  expect(seqs).toEqual([1, 2]);
});

test('an answer that comes behind the copy by NATS delivers nothing', () => {
  const { answer, receive: arrive, seqs } = start();
  arrive(numbered(1));
  answer(numbered(1));
  expect(seqs).toEqual([1]);
});

test('an answer delivers nothing to an application without users here', () => {
  const { answer, hub, seqs } = start();
  hub.remove(CONNECTION);
  answer(numbered(1));
  expect(seqs).toEqual([]);
});

test('a batch arrives again after many others, as one that is published a second time does', () => {
  const others = Array.from({ length: 8 }, (_, index) => numbered(index + 2));
  expect(receive(numbered(1), ...others, numbered(1)).seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
});

test('events without a number are delivered each time', () => {
  const event = batch({ appId: 'a', onlyUserIds: ['u'] });
  expect(receive(event, event).dispatched).toBe(2);
});

test('the next copy of a batch is for a user who has come since the first', () => {
  const { hub, receive: arrive, seqs } = start();
  hub.remove(CONNECTION);
  arrive(numbered(1));
  hub.add(CONNECTION);
  arrive(numbered(1), numbered(1));
  hub.remove(CONNECTION);
  hub.add(CONNECTION);
  arrive(numbered(1));
  expect(seqs).toEqual([1, 1, 1]);
});

test('a traced batch is delivered in a span of its trace, once for all shards; any other in none', async () => {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'gateway', endpoint: collector.endpoint });
  const received = start();
  const traced = numbered(1, 2);
  received.receiveTraced(traced, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  received.receiveTraced(traced, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  received.receive(numbered(3));
  await stop();
  collector.stop();
  expect(received.seqs).toEqual([1, 2, 3]);
  expect(collector.spans()).toMatchObject([
    {
      ...{ name: 'deliver live events', kind: 5 },
      ...{ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) },
    },
  ]);
});
