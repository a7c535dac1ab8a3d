import { ParleyError } from '../errors.ts';
import { TO_REFETCH } from '../records/rows.ts';
import { WriteBatch } from '../records/write-batch.ts';
import { StaleEpochError, StoreFullError } from '../store/store.ts';
import type { Context } from './context.ts';
import { makeRoom } from './prune.ts';
import { writeAndShow } from './write.ts';

/**
 * Changes records in one transaction: of the store, then in memory, then in the other tabs: as the leader of an epoch, or as any
 * tab for what the user does. Fails with a StaleEpochError when the epoch is over. Where the device has no room, history is removed, and the work is done once more on what is left.
 */
export async function transact<T>(
  ctx: Context,
  epoch: number | undefined,
  work: (batch: WriteBatch) => T | Promise<T>,
): Promise<T> {
  try {
    return await once(ctx, epoch, work);
  } catch (error) {
    if (!(error instanceof StoreFullError)) throw error;
    await makeRoom(ctx).catch((cause: unknown) => ctx.diagnose('not_pruned', { reason: String(cause) }));
    return once(ctx, epoch, work).catch((cause: unknown) => {
      if (!(cause instanceof StoreFullError)) throw cause;
      throw new ParleyError({ id: 'store_full' }, { cause });
    });
  }
}

function once<T>(
  ctx: Context,
  epoch: number | undefined,
  work: (batch: WriteBatch) => T | Promise<T>,
): Promise<T> {
  return ctx.serial(async () => {
    if (epoch !== undefined && epoch !== ctx.sync.state.epoch) throw new StaleEpochError();
    const batch = new WriteBatch(ctx.store, ctx.records);
    const result = await work(batch);
    noteToRefetch(batch);
    const writes = batch.writes();
    if (writes.length > 0) await writeAndShow(ctx, writes, epoch);
    for (const call of batch.afterWrite) call();
    return result;
  });
}

function noteToRefetch(batch: WriteBatch): void {
  if (batch.toRefetch.size === 0) return;
  const before = batch.value(TO_REFETCH) ?? [];
  batch.setValue(TO_REFETCH, [...new Map([...before, ...batch.toRefetch])]);
}
