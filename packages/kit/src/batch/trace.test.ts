import { createBatcher } from '../batch.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { inSpan, startTracing } from '../telemetry/tracing.ts';
import { attributeOf, startCollector } from '../testing/collector.ts';
import { observeBatches } from './observer.ts';

test('a batch has a span of its own with links to the spans of its requests, and these have the outcome', async () => {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'test', endpoint: collector.endpoint });
  const batcher = createBatcher<string, string>({
    run: (items) =>
      inSpan('work', {}, () =>
        Promise.resolve(items.map((item) => (item === 'bad' ? new Error('refused') : item))),
      ),
    maxItems: 10,
    maxQueued: 10,
    observer: observeBatches(createMetrics('test'), 'letters'),
  });
  const requests = ['good', 'bad'].map((name) => inSpan(name, {}, () => batcher.add(name)));
  await Promise.allSettled(requests);
  await stop();
  collector.stop();

  const spans = collector.spans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [batch] = named('letters batch');
  const waits = named('letters wait for a batch');
  expect(named('letters batch')).toHaveLength(1);
  expect(batch?.parentSpanId ?? '').toBe('');
  expect(batch?.links.map(({ spanId }) => spanId)).toEqual(waits.map(({ spanId }) => spanId));
  expect(attributeOf(batch, 'parley.batch.items')).toBe(2);
  expect(named('work')[0]?.parentSpanId).toBe(batch?.spanId);
  for (const [name, outcome] of [
    ['good', 'answered'],
    ['bad', 'refused'],
  ] as const) {
    // prettier-ignore
    const wait = waits.find(({ parentSpanId }) => parentSpanId === named(name)[0]?.spanId);
    expect(wait?.links.map(({ spanId }) => spanId)).toEqual([batch?.spanId]);
    expect(attributeOf(wait, 'parley.batch.outcome')).toBe(outcome);
  }
});
