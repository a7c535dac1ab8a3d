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

/** The slot behind all operations that wait, also when the device's clock has been set back since. */
function nextOrder(batch: WriteBatch): number {
  return Math.max(Date.now(), ...batch.operations().map(({ order }) => order + 1));
}

/** The platform's id of a conversation, for which this device may have made another one. */
export function realId(ctx: Context, conversation: string): string {
  return valueOf(ctx.records, aliasKey(conversation)) ?? conversation;
}

/** Keeps an action on the device, shows its effect, and performs it as soon as possible. `id` names the operation. */
export async function act(ctx: Context, action: Action, id?: string): Promise<void> {
  if (ctx.ended.aborted) throw clientEnded();
  const operationId = id ?? uuid7();
  await transact(ctx, undefined, async (batch) => {
    // What the conversation is really called may have been learnt a moment ago.
    const placed =
      'conversation' in action ? { ...action, conversation: realId(ctx, action.conversation) } : action;
    // An application may give a receipt again for as long as it is shown that there is none.
    if (/receipt/i.test(action.kind) && batch.operations().some((one) => isEqual(one.action, placed))) return;
    await loadCounted(ctx.store, ctx.records, placed);
    batch.putOperation({ id: operationId, order: nextOrder(batch), action: placed });
  });
  processPending(ctx);
}

/** Tries refused operations of a lane again, or one of them. Later ones stay in their order behind it. */
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

/** Drops an operation, and with the creation of a conversation all that waits for it. */
export function discard(ctx: Context, id: string): Promise<void> {
  return transact(ctx, undefined, (batch) => {
    const operation = batch.operation(id);
    if (!operation) return;
    const isCreation = operation.action.kind === 'createConversation';
    for (const one of batch.operations())
      if (one.id === id || (isCreation && laneOf(one) === laneOf(operation))) batch.removeOperation(one.id);
  });
}
