import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Figures } from '../stats.ts';

/** A platform without any client: its processor time is that of a second in which nothing happens. */
export const idle = async (bench: Bench): Promise<Figures[]> => {
  const seconds = Math.ceil(20 * bench.scale);
  // What the setup has begun ends by itself.
  await sleep(5_000);
  const measured = await bench.measure(
    'nothing to do, seconds',
    seconds,
    async () => {
      await sleep(1000 * seconds);
      return [];
    },
    'without any client',
  );
  return [measured];
};
