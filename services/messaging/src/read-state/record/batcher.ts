import { LANES_OF_MACHINE, observeBatches, refusedWith, type Batcher } from '@parley/kit/flow/batch';
import type { Context } from '../../context.ts';
import { createConversationBatcher } from '../../transaction/conversation-batcher.ts';
import type { Receipt } from './record.ts';
import { recordBatch, type ReceiptOutcome } from './run.ts';

/** `giveUpAt`: by `performance.now()`; from then on the receipt no longer waits for its conversation. */
export type QueuedReceipt = Receipt & { giveUpAt: number };

export type ReceiptBatcher = Batcher<QueuedReceipt, ReceiptOutcome>;

/** Group commit of the receipts of all users. */
export function createReceiptBatcher(ctx: Context): ReceiptBatcher {
  return createConversationBatcher<QueuedReceipt, ReceiptOutcome>(ctx, {
    conversationOf: ({ place }) => ({ appId: place.app_id, id: place.conversation_id }),
    giveUpAt: ({ giveUpAt }) => giveUpAt,
    run: (items, locking) => recordBatch(ctx, items, locking),
    maxItems: 256,
    lanes: LANES_OF_MACHINE,
    maxQueued: 20_000,
    observer: observeBatches(ctx.metrics, 'receipts', (problem: ReceiptOutcome) =>
      problem ? refusedWith(problem) : { outcome: 'recorded' },
    ),
  });
}
