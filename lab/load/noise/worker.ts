import { createApp, type Platform } from '../../../test/support/app.ts';
import { noises, startNoise, type Noise, type NoiseName } from '../../../test/support/noise.ts';
import type { Pace } from '../../../test/support/pace.ts';

// The process that makes the noise of a benchmark: what it costs is not in the times of the process that measures.
export type Order =
  | { order: 'prepare'; name: NoiseName; platform: Platform; postgresUrl: string }
  | { order: 'begin'; pace: Pace }
  | { order: 'end' };
export type Answer = { taken: number; refused: number; others: number } | { error: string };

let work: Awaited<ReturnType<(typeof noises)[NoiseName]>> | undefined;
let noise: Noise | undefined;

async function carryOut(order: Order): Promise<void> {
  if (order.order === 'prepare') {
    const app = await createApp(order.platform, 'noisy');
    work = await noises[order.name]({ app, postgresUrl: order.postgresUrl });
  }
  if (order.order === 'begin' && work) noise = startNoise(work, order.pace);
  if (order.order === 'end') await noise?.stop();
}

function answer(): Answer {
  const { taken = 0, refused = 0, others = new Map<number, number>() } = noise ?? {};
  return { taken, refused, others: [...others.values()].reduce((sum, count) => sum + count, 0) };
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    () => process.send?.(answer()),
    (error: unknown) => process.send?.({ error: String(error) } satisfies Answer),
  );
});
process.on('disconnect', () => process.exit(0));
