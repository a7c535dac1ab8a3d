import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { measureUsage, sumOfPlatform, usedSeconds, type Measured } from './usage.ts';

/** Microseconds of processor time an item, by process, between now and the call of the answer. */
export function measureCpu(state: Measured): (items: number) => Record<string, number> {
  const usage = measureUsage(state);
  return (items) => usage(items).micros;
}

const IDLE_SHARE = 0.1;
const LOOK_MS = 500;

/** Resolves once all processes together use less than a tenth of a processor: what was asked of them is done. */
export async function untilIdle(state: Measured): Promise<void> {
  let before = sumOfPlatform(usedSeconds(state));
  const look = async (): Promise<true | undefined> => {
    await delay(LOOK_MS);
    const now = sumOfPlatform(usedSeconds(state));
    const share = ((now - before) * 1_000) / LOOK_MS;
    before = now;
    return share < IDLE_SHARE || undefined;
  };
  await until('the platform is idle', look, 300_000);
}
