import { createBatcher } from './index.ts';
import { createMetrics } from '../../runtime/telemetry/metrics.ts';
import { controlled, turn } from '../../testing/controlled-batches.ts';
import { observeBatches } from './observer.ts';

const ENOUGH_MS = 20;

/** Sum and count of a histogram. */
function valueOf(text: string, name: string): { sum: number; count: number } {
  const read = (kind: string) => Number(new RegExp(`^${name}_${kind}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1]);
  return { sum: read('sum'), count: read('count') };
}

test('an observed batcher measures sizes, the wait of the oldest item and the time of its batches', async () => {
  const metrics = createMetrics('test');
  const { run, batches } = controlled();
  const observer = observeBatches(metrics, 'letters');
  const batcher = createBatcher({ run, observer, maxItems: 10, maxQueued: 10 });
  const first = batcher.add('a');
  await turn();
  const others = Promise.all([batcher.add('b'), batcher.add('c')]);
  const began = performance.now();
  while (performance.now() - began < ENOUGH_MS) await turn();
  batches[0]?.answer();
  await first;
  await turn();
  batches[1]?.answer();
  await others;
  const text = await metrics.registry.metrics();
  expect(text).toContain('batch_items_bucket{le="2",service="test",batcher="letters"} 2');
  expect(valueOf(text, 'batch_items')).toEqual({ sum: 3, count: 2 });
  expect(valueOf(text, 'batch_wait_seconds').count).toBe(2);
  expect(valueOf(text, 'batch_wait_seconds').sum).toBeGreaterThanOrEqual(ENOUGH_MS / 1000);
  expect(valueOf(text, 'batch_run_seconds').count).toBe(2);
  expect(valueOf(text, 'batch_run_seconds').sum).toBeGreaterThanOrEqual(ENOUGH_MS / 1000);
});

test('a batch that fails is measured, too', async () => {
  const metrics = createMetrics('test');
  const { run, batches } = controlled();
  const observer = observeBatches(metrics, 'letters');
  const failed = createBatcher({ run, observer, maxItems: 10, maxQueued: 10 }).add('a');
  await turn();
  batches[0]?.fail(new Error('broken'));
  await expect(failed).rejects.toThrow('broken');
  expect(valueOf(await metrics.registry.metrics(), 'batch_run_seconds').count).toBe(1);
});
