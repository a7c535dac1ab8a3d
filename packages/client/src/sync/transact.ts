import { ParleyError } from '../errors.ts';
import { StaleEpochError, StoreFullError } from '../store/store.ts';
import { absorb } from '../records/in-memory.ts';
import type { Context } from './context.ts';
import { WriteBatch } from '../records/write-batch.ts';
import { makeRoom } from './prune.ts';
import type { Message } from '../records/records.ts';
import type { Operation } from '../records/operation.ts';

/**
 * Where the URIs are kept of what has to be read: an array of `[uri, uri of the conversation]`. It is read if it is not here by then; a
 * conversation with an empty second URI in any case.
 */
export const TO_REFETCH = 'to_read';

type Options = {
  /** As the leader of this epoch; without it as any tab, for what the user does. */
  readonly epoch?: number | undefined;
};

/**
 * Changes records in one transaction: of the store, then in memory, then in the other tabs. Fails with a StaleEpochError when
 * the epoch is over. Where the device has no room, history is removed, and the work is done once more on what is left.
 */
export async function transact<T>(
  ctx: Context,
  work: (batch: WriteBatch) => T | Promise<T>,
  options: Options = {},
): Promise<T> {
  try {
    return await once(ctx, work, options);
  } catch (error) {
    if (!(error instanceof StoreFullError)) throw error;
    await makeRoom(ctx).catch((cause: unknown) => ctx.diagnose('not_pruned', { reason: String(cause) }));
    return once(ctx, work, options).catch((cause: unknown) => {
      if (!(cause instanceof StoreFullError)) throw cause;
      throw new ParleyError({ id: 'store_full' }, { cause });
    });
  }
}

function once<T>(ctx: Context, work: (batch: WriteBatch) => T | Promise<T>, { epoch }: Options): Promise<T> {
  return ctx.serial(async () => {
    if (epoch !== undefined && epoch !== ctx.epoch) throw new StaleEpochError();
    const batch = new WriteBatch(ctx.store, ctx.records);
    const result = await work(batch);
    noteToRefetch(batch);
    const writes = batch.writes();
    if (writes.length > 0) {
      await ctx.store.write(writes, epoch === undefined ? {} : { epoch });
      absorb(ctx.records, writes);
      ctx.coordinator.post({ kind: 'writes', writes });
      ctx.changed(writes, epoch === undefined);
    }
    for (const { operation, message } of batch.settled) announceSettled(ctx, operation, message);
    return result;
  });
}

function noteToRefetch(batch: WriteBatch): void {
  if (batch.toRefetch.size === 0) return;
  const before = (batch.value(TO_REFETCH) ?? []) as [string, string][];
  batch.setValue(TO_REFETCH, [...new Map([...before, ...batch.toRefetch])]);
}

function announceSettled(ctx: Context, operation: Operation, message: Message | undefined): void {
  if (operation.action.kind !== 'send' || !message) return;
  ctx.coordinator.post({ kind: 'sent', message });
  ctx.sent(message);
}
