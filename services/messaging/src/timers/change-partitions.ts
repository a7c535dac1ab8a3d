import { DAY_MS, oldestKept, startOfDay } from '@parley/domain/events/log-age';
import type { Context } from '../context.ts';
import {
  addPartition,
  deleteUnpartitioned,
  dropPartition,
  listPartitionDays,
  lockPartitions,
  limitLockWait,
} from '../sql/log/change-partition.ts';
import { moveHorizon } from '../sql/log/change-horizon.ts';

/** How far ahead there are partitions. Days. */
const AHEAD = 3;

/** Makes the partitions of the log of changes that will be needed soon, and drops those that are too old. */
export async function maintainPartitions(ctx: Context): Promise<void> {
  const today = startOfDay(ctx.clock.now());
  for (let ahead = 0; ahead <= AHEAD; ahead++) await add(ctx, today + ahead * DAY_MS);
  const oldest = oldestKept(today);
  const outdated = (await listPartitionDays(ctx.db)).filter((day) => day < dayName(oldest));
  for (const day of outdated) await drop(ctx, day, oldest);
  await ctx.db.tx(async (tx) => {
    if ((await deleteUnpartitioned(tx, oldest)) > 0) await moveHorizon(tx, oldest);
  });
}

async function add(ctx: Context, from: number): Promise<void> {
  const day = dayName(from);
  if ((await listPartitionDays(ctx.db)).includes(day)) return;
  await ctx.db.tx(async (tx) => {
    await lockPartitions(tx);
    if ((await listPartitionDays(tx)).includes(day)) return;
    await limitLockWait(tx);
    await addPartition(tx, { day, from: new Date(from), to: new Date(from + DAY_MS) });
  });
}

// Who reads the log learns from the horizon that it has a beginning, in the same transaction in which it gets one.
async function drop(ctx: Context, day: string, horizon: number): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockPartitions(tx);
    await limitLockWait(tx);
    if (!(await listPartitionDays(tx)).includes(day)) return;
    await dropPartition(tx, day);
    await moveHorizon(tx, horizon);
  });
}

function dayName(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}
