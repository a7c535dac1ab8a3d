import { clientEnded } from '../errors.ts';
import { loadCounted, valueOf } from '../records/in-memory.ts';
import type { Context } from '../sync/context.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { transact } from '../sync/transact.ts';
import { aliasKey } from './confirm.ts';
import { isEqual } from '../records/records.ts';
import { laneOf, type Action } from '../records/operation.ts';
import { uuid7 } from '../uuid.ts';
import { processPending } from './process.ts';

/** An order after all pending operations, even if the device's clock has been set back. */
function nextOrder(batch: WriteBatch): number {
  return Math.max(Date.now(), ...batch.operations().map(({ order }) => order + 1));
}

/** The platform's id of a conversation for which this device may have generated a different one. */
export function realId(ctx: Context, conversation: string): string {
  return valueOf(ctx.records, aliasKey(conversation)) ?? conversation;
}

/** Stores an action on the device, shows its effect, and performs it as soon as possible. `id` becomes the operation's id. */
export async function act(ctx: Context, action: Action, id?: string): Promise<void> {
  if (ctx.ended.aborted) throw clientEnded();
  const operationId = id ?? uuid7();
  await transact(ctx, undefined, async (batch) => {
    // The conversation's real id may have just become known.
    const placed =
      'conversation' in action ? { ...action, conversation: realId(ctx, action.conversation) } : action;
    // An application may repeat a receipt for as long as the message is shown without it.
    if (/receipt/i.test(action.kind) && batch.operations().some((one) => isEqual(one.action, placed))) return;
    await loadCounted(ctx.store, ctx.records, placed);
    batch.putOperation({ id: operationId, order: nextOrder(batch), action: placed });
  });
  processPending(ctx);
}

/** Retries the refused operations of a lane, or one of them. Later ones keep their order behind it. */
export async function retry(ctx: Context, { id, lane }: { id?: string; lane?: string }): Promise<void> {
  await transact(ctx, undefined, (batch) => {
    const refused = batch
      .operations()
      .filter((one) => one.error && (one.id === id || laneOf(one) === lane))
      .sort((one, other) => one.order - other.order);
    for (const { error: _, ...operation } of refused)
      batch.putOperation({ ...operation, order: nextOrder(batch) });
  });
  processPending(ctx);
}

/** Drops an operation; if it creates a conversation, everything that waits for it is dropped, too. */
export function discard(ctx: Context, id: string): Promise<void> {
  return transact(ctx, undefined, (batch) => {
    const operation = batch.operation(id);
    if (!operation) return;
    const isCreation = operation.action.kind === 'createConversation';
    for (const one of batch.operations())
      if (one.id === id || (isCreation && laneOf(one) === laneOf(operation))) batch.removeOperation(one.id);
  });
}
