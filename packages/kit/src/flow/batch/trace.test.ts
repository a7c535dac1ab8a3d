import { Code, ConnectError } from '@connectrpc/connect';
import { createBatcher, type BatcherOptions } from './index.ts';
import { createMetrics } from '../../runtime/telemetry/metrics.ts';
import { inSpan, startTracing } from '../../runtime/telemetry/tracing.ts';
import { attributeOf, startCollector, type Span } from '../../testing/collector.ts';
import { createWaitingTurns } from './contention.ts';
import { CONTENDED, type Answer } from './entry.ts';
import { observeBatches, type BatchObserver } from './observer.ts';

type Letter = string | { kind: string; problem?: { id: string } };

const ANSWERS: Record<string, Letter | Error> = {
  bad: new Error('refused'),
  busy: new ConnectError('busy', Code.ResourceExhausted),
  stored: { kind: 'stored' },
  duplicate: { kind: 'duplicate' },
  forbidden: { kind: 'problem', problem: { id: 'access_denied' } },
};

/** The spans of requests with these names, which share a batch. */
async function spansOf(
  names: string[],
  observer: BatchObserver<Letter> = observeBatches(createMetrics('test'), 'letters'),
  options: Partial<BatcherOptions<string, Letter>> = {},
) {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'test', endpoint: collector.endpoint });
  const batcher = createBatcher<string, Letter>({
    run: (items) => inSpan('work', {}, async () => items.map((item) => ANSWERS[item] ?? item)),
    maxItems: 10,
    maxQueued: 10,
    observer,
    ...options,
  });
  await Promise.allSettled(names.map((name) => inSpan(name, {}, () => batcher.add(name))));
  await stop();
  collector.stop();
  const named = (name: string): Span[] => collector.spans().filter((span) => span.name === name);
  const waits = named('letters wait for a batch');
  const waitOf = (name: string) => waits.find(({ parentSpanId }) => parentSpanId === named(name)[0]?.spanId);
  const outcomeOf = (name: string) => [
    attributeOf(waitOf(name), 'parley.batch.outcome'),
    attributeOf(waitOf(name), 'parley.batch.error'),
  ];
  return { named, waits, waitOf, outcomeOf };
}

test('a batch has a span of its own with links to the spans of its requests', async () => {
  const { named, waits, waitOf } = await spansOf(['good', 'bad']);
  const [batch] = named('letters batch');
  expect(named('letters batch')).toHaveLength(1);
  expect(batch?.parentSpanId ?? '').toBe('');
  expect(batch?.links.map(({ spanId }) => spanId)).toEqual(waits.map(({ spanId }) => spanId));
  expect(attributeOf(batch, 'parley.batch.items')).toBe(2);
  expect(named('work')[0]?.parentSpanId).toBe(batch?.spanId);
  for (const name of ['good', 'bad'])
    expect(waitOf(name)?.links.map(({ spanId }) => spanId)).toEqual([batch?.spanId]);
});

test('the span of a request has its outcome, and why it was refused', async () => {
  const { outcomeOf, waitOf } = await spansOf(['plain', ...Object.keys(ANSWERS)]);
  expect(outcomeOf('plain')).toEqual(['answered', undefined]);
  expect(outcomeOf('stored')).toEqual(['stored', undefined]);
  expect(outcomeOf('duplicate')).toEqual(['duplicate', undefined]);
  expect(outcomeOf('forbidden')).toEqual(['refused', 'access_denied']);
  expect(outcomeOf('busy')).toEqual(['refused', 'ResourceExhausted']);
  expect(outcomeOf('bad')).toEqual(['refused', 'Error']);
  expect(waitOf('bad')?.status.code).toBe(2);
  expect(waitOf('forbidden')?.status.code ?? 0).toBe(0);
});

test('a batcher may name the outcomes of its answers itself', async () => {
  const named = observeBatches<Letter>(createMetrics('test'), 'letters', () => ({ outcome: 'posted' }));
  expect((await spansOf(['plain'], named)).outcomeOf('plain')).toEqual(['posted', undefined]);
});

test('a request whose key stayed contended says so', async () => {
  const contended = async (items: string[]): Promise<Answer<Letter>[]> => items.map(() => CONTENDED);
  const { outcomeOf } = await spansOf(['held'], undefined, {
    run: contended,
    contention: {
      keyOf: (item) => item,
      groupOf: () => 'group',
      wait: contended,
      turns: createWaitingTurns({ max: 1, maxOfGroup: 1 }),
      giveUpAt: () => 0,
    },
  });
  expect(outcomeOf('held')).toEqual(['contended', undefined]);
});

test('without tracing no outcome is asked for', async () => {
  const observer = observeBatches<Letter>(createMetrics('test'), 'letters', () => {
    throw new Error('asked');
  });
  const run = async (items: string[]): Promise<Letter[]> => items;
  const batcher = createBatcher<string, Letter>({ run, maxItems: 10, maxQueued: 10, observer });
  expect(await batcher.add('plain')).toBe('plain');
});
