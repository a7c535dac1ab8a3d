import { stepsApart } from '@parley/kit/durable/work/apart';
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

/** How far ahead partitions exist. Days. */
const AHEAD = 3;

/** Creates the partitions of the change log that will be needed soon, and drops outdated ones. */
export async function maintainPartitions(ctx: Context): Promise<void> {
  const today = startOfDay(ctx.clock.now());
  const oldest = oldestKept(today);
  const needed = Array.from({ length: AHEAD + 1 }, (_, ahead) => today + ahead * DAY_MS);
  const outdated = (await listPartitionDays(ctx.tables)).filter((day) => day < dayName(oldest));
  // A day whose rows are being written may have to wait: the others do not.
  await stepsApart([
    ...needed.map((day) => () => add(ctx, day)),
    ...outdated.map((day) => () => drop(ctx, day, oldest)),
    () => dropUnpartitioned(ctx, oldest),
  ]);
}

async function dropUnpartitioned(ctx: Context, oldest: number): Promise<void> {
  await ctx.tables.tx(async (tx) => {
    if ((await deleteUnpartitioned(tx, oldest)) > 0) await moveHorizon(tx, oldest);
  });
}

async function add(ctx: Context, from: number): Promise<void> {
  const day = dayName(from);
  if ((await listPartitionDays(ctx.tables)).includes(day)) return;
  await ctx.tables.tx(async (tx) => {
    await lockPartitions(tx, ctx.cell?.name);
    if ((await listPartitionDays(tx)).includes(day)) return;
    await limitLockWait(tx);
    await addPartition(tx, { day, from: new Date(from), to: new Date(from + DAY_MS) });
  });
  await ctx.afterTableChange();
}

// The horizon moves in the transaction that drops the partition, so that a reader of the log always knows where it
// begins.
async function drop(ctx: Context, day: string, horizon: number): Promise<void> {
  await ctx.tables.tx(async (tx) => {
    await lockPartitions(tx, ctx.cell?.name);
    await limitLockWait(tx);
    if (!(await listPartitionDays(tx)).includes(day)) return;
    await dropPartition(tx, day);
    await moveHorizon(tx, horizon);
  });
}

function dayName(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}
