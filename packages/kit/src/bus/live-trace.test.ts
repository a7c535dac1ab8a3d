import { connect, type MsgHdrs } from '@nats-io/transport-node';
import { startNats, until, type TestNats } from '@parley/testing';
import { connectBus, type Bus } from './index.ts';
import type { OutboxOptions, OutboxRow } from '../durable/outbox/index.ts';
import { createRowPublisher, publishRow } from '../durable/outbox/publisher.ts';
import { createLogger } from '../runtime/telemetry/log.ts';
import { extract, inSpan, startTracing } from '../runtime/telemetry/tracing.ts';
import { startCollector } from '../testing/collector.ts';

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const log = createLogger({ service: 'test', level: 'silent' });

let nats: TestNats;
let bus: Bus;
let closing: (() => unknown)[];
/** Messages received by a plain NATS client and by a subscriber of the bus, in order. */
let received: (MsgHdrs | undefined)[];
let traces: (string | undefined)[];

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());
beforeEach(async () => {
  bus = await connectBus({ url: nats.url, name: 'live-trace-test', log });
  const plain = await connect({ servers: nats.url });
  [received, traces] = [[], []];
  plain.subscribe('live.>', { callback: (_, message) => void received.push(message.headers) });
  await plain.flush();
  bus.subscribeLive('live.>', (_payload, _subject, trace) => void traces.push(trace));
  await bus.flush();
  closing = [() => plain.close(), () => bus.close()];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const arrived = (count: number) =>
  until(() => (received.length === count && traces.length === count) || undefined, {
    ...{ withinMs: 10_000, what: `${count} messages` },
  });

async function startTraces(): Promise<void> {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'test', endpoint: collector.endpoint });
  closing.push(async () => {
    await stop();
    collector.stop();
  });
}

test('without tracing a live message has no headers', async () => {
  bus.publishLive('live.a', Buffer.from('one'));
  bus.publishLive('live.a', Buffer.from('two'), { trace: TRACE });
  await arrived(2);
  expect(received).toEqual([undefined, undefined]);
  expect(traces).toEqual([undefined, undefined]);
});

test('with tracing it has the trace of the change, if that is sampled', async () => {
  await startTraces();
  const publish = async () => bus.publishLive('live.a', Buffer.from('one'));
  await publish();
  await inSpan('unsampled', { parent: extract({ traceparent: TRACE.replace(/01$/, '00') }) }, publish);
  await inSpan('sampled', { parent: extract({ traceparent: TRACE }) }, publish);
  await arrived(3);
  expect(received.map((headers) => headers?.keys())).toEqual([undefined, undefined, ['traceparent']]);
  expect(traces.slice(0, 2)).toEqual([undefined, undefined]);
  expect(traces[2]).toContain(TRACE.slice(0, 36));
});

test('an event of an outbox has the trace of its row', async () => {
  const row: OutboxRow = {
    ...{ id: 'row', subject: 'event.a', live: ['live.a'], payload: Buffer.from('one') },
    headers: { traceparent: TRACE },
  };
  const options = {
    bus: { ...bus, publish: () => Promise.resolve({ seq: 1, isRepeat: false }) },
    log,
  } as unknown as OutboxOptions;
  const publisher = createRowPublisher(options, {
    ...{ add: () => undefined, flush: () => Promise.resolve(), stop: () => undefined },
  });
  await publishRow(publisher, row);
  await startTraces();
  await publishRow(publisher, row);
  await publishRow(publisher, { ...row, headers: {} });
  await arrived(3);
  expect(traces).toEqual([undefined, TRACE, undefined]);
});
