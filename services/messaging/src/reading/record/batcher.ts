import { laneOf } from '@parley/domain/lane';
import { createBatcher, lanesOfMachine, type Batcher } from '@parley/kit/batch';
import { isolateFailures } from '../../transaction/isolate-failures.ts';
import { conversationContention, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import { recordBatch, type Receipt, type ReceiptOutcome } from './run.ts';

/** `giveUpAt`: milliseconds since the epoch from which on it does not wait for its conversation any more. */
export type QueuedReceipt = Receipt & { giveUpAt: number };

export type ReceiptBatcher = Batcher<QueuedReceipt, ReceiptOutcome>;

/** Group commit of the receipts of all users; a conversation that another transaction holds is set apart. */
export function createReceiptBatcher(ctx: Context): ReceiptBatcher {
  const conversationOf = ({ place }: QueuedReceipt) => ({ app_id: place.app_id, id: place.conversation_id });
  const runWith = (locking: LockMode) => (items: QueuedReceipt[]) =>
    isolateFailures(
      items,
      (batch) => recordBatch(ctx, batch, locking),
      (item) => conversationKey(conversationOf(item)),
    );
  return createBatcher<QueuedReceipt, ReceiptOutcome>({
    run: runWith('free'),
    contention: conversationContention(ctx, {
      conversationOf,
      giveUpAt: ({ giveUpAt }) => giveUpAt,
      wait: runWith('wait'),
    }),
    maxItems: 256,
    lanes: lanesOfMachine,
    laneOf: ({ place }) => laneOf(place.conversation_id),
    maxQueued: 20_000,
  });
}
