import { setTimeout as delay } from 'node:timers/promises';
import { driveDeliveries, type Crowd } from '../scenarios/deliveries.ts';
import { PAIRS, totalOf, warmUpOf, type Shape } from '../scenarios/shapes.ts';
import { quantile } from '../stats.ts';
import { measureUsage, sumOfPlatform } from '../usage.ts';
import type { Sample } from './comparison.ts';
import type { System } from './system.ts';

/** No message of a shape begins later than this; those sent by then are what is measured. */
const BEGUN_WITHIN_MS = 60_000;
const WARMED_UP_WITHIN_MS = 20_000;
/** How long messages under way may take then. */
const FINISHED_WITHIN_MS = 60_000;

type Measurement = { shape: Shape; scale: number };

/**
 * Connects users in the shape and sends, a tenth more than is measured. Resolves with undefined when messages do not arrive in time;
 * rejects when the system fails or has not stored what it delivered.
 */
export async function measureShape(
  system: System,
  { shape, scale }: Measurement,
): Promise<Sample | undefined> {
  const connect = PAIRS.includes(shape) ? system.connectPairs : system.connectGroup;
  const crowd = await Promise.race([connect(shape), system.failed]);
  try {
    const stored = await system.countStored();
    const measured = await drive(system, crowd, { shape, scale });
    if (!measured) return undefined;
    const added = (await system.countStored()) - stored;
    if (added >= measured.count) return measured.sample;
    throw new Error(`${measured.count} messages were delivered, but only ${added} stored`);
  } finally {
    crowd.close();
  }
}

async function drive(
  { state, failed }: System,
  crowd: Crowd,
  { shape, scale }: Measurement,
): Promise<{ count: number; sample: Sample } | undefined> {
  const { outstanding } = shape;
  const total = totalOf(shape, scale);
  const driveWithin = (count: number, withinMs: number) =>
    Promise.race([
      inTime(
        driveDeliveries(crowd.channels, { total: count, outstanding, withinMs }),
        withinMs + FINISHED_WITHIN_MS,
      ),
      failed,
    ]);
  if (!(await driveWithin(warmUpOf(total), WARMED_UP_WITHIN_MS))) return undefined;
  const before = crowd.bytes();
  const usage = measureUsage(state);
  const began = performance.now();
  const times = await driveWithin(total, BEGUN_WITHIN_MS);
  const seconds = (performance.now() - began) / 1_000;
  if (!times) return undefined;
  const count = times.length;
  const { micros, foreign } = usage(count);
  const bytes = (crowd.bytes() - before) / count;
  const sample = {
    rate: count / seconds,
    p50: quantile(times, 0.5),
    bytes,
    micros: sumOfPlatform(micros),
    foreign,
  };
  return { count, sample };
}

/** Undefined when it takes longer. */
async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T | undefined> {
  const timer = new AbortController();
  const late = delay(withinMs, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
