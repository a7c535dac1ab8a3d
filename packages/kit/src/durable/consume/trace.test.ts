import type { BusMessage } from '../../bus/index.ts';
import type { Tx } from '../../postgres/index.ts';
import { startTracing } from '../../runtime/telemetry/tracing.ts';
import { attributesOf, startCollector, type Span } from '../../testing/collector.ts';
import { handleNew, type Entry, type Handling } from './handle.ts';

const hex = (digits: number, number: number): string => number.toString(16).padStart(digits, '0');

const entry = (number: number, subject = 'event.app.message.created'): Entry<number> => {
  const traceparent = `00-${hex(32, number)}-${hex(16, number)}-01`;
  const message = { payload: new Uint8Array(), subject, msgId: `m-${number}`, deliveries: 1 };
  return { id: `e-${number}`, event: number, message: { ...message, headers: { traceparent } } };
};

/** The spans of handling these entries, all of which are new. */
async function spansOf(
  entries: Entry<number>[],
  handling: Omit<Handling<number>, 'durable' | 'appOf'>,
): Promise<Span[]> {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'test', endpoint: collector.endpoint });
  const tx = { query: async () => entries.map(({ id }) => ({ id })) } as unknown as Tx;
  await handleNew(tx, { durable: 'test-effects', appOf: undefined, ...handling }, entries).catch(() => 0);
  await stop();
  collector.stop();
  return collector.spans();
}

test('an event is handled in a consumer span, a child of the span that published it', async () => {
  const [one, two, ...further] = await spansOf([entry(1), entry(2)], { handle: async () => undefined });
  expect(further).toEqual([]);
  expect(one).toMatchObject({ name: 'process test-effects', kind: 5, parentSpanId: hex(16, 1) });
  expect(two).toMatchObject({ traceId: hex(32, 2), parentSpanId: hex(16, 2) });
  expect(one?.links ?? []).toEqual([]);
  expect(attributesOf(one)).toEqual({
    'messaging.system': 'nats',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': 'test-effects',
    'messaging.destination.name': 'event.app.message.created',
    'messaging.message.id': 'm-1',
  });
});

test('the span of events that are handled at once has links to the spans that published them, 64 at most', async () => {
  const three = [entry(1), entry(2, 'event.other.message.created'), entry(3), entry(3)];
  const handling = { handleAll: async () => undefined };
  const [span] = await spansOf(three, handling);
  expect(span).toMatchObject({ kind: 5, parentSpanId: hex(16, 1) });
  expect(span?.links.map(({ spanId }) => spanId)).toEqual([1, 2, 3].map((number) => hex(16, number)));
  expect(attributesOf(span)).toMatchObject({
    'messaging.destination.name': 'event.*.message.created',
    'messaging.batch.message_count': 3,
  });
  expect(attributesOf(span)).not.toHaveProperty(['messaging.message.id']);
  const many = Array.from({ length: 100 }, (_, index) => entry(index + 1));
  expect((await spansOf(many, handling))[0]?.links).toHaveLength(64);
});

test('the span of events that cannot be handled has failed', async () => {
  const handling = { handle: () => Promise.reject(new Error('refused')) };
  expect((await spansOf([entry(1)], handling))[0]?.status).toMatchObject({ code: 2 });
});

test('a message without a trace is handled in a trace of its own', async () => {
  const message: BusMessage = { ...entry(1).message, headers: {} };
  const [span] = await spansOf([{ ...entry(1), message }], { handle: async () => undefined });
  expect(span?.parentSpanId ?? '').toBe('');
});
