import { createBatcher, lanesOfMachine, type Batcher } from '@parley/kit/batch';
import { runApart } from '../apart.ts';
import type { Context } from '../context.ts';
import { laneOf } from '@parley/domain/lane';
import { runReceipts, type Receipt, type ReceiptOutcome } from './run.ts';

export type Receipts = Batcher<Receipt, ReceiptOutcome>;

/** Group commit of receipts, whoever gives them. */
export function createReceipts(ctx: Context): Receipts {
  return createBatcher<Receipt, ReceiptOutcome>({
    run: (items) => runApart(items, (batch) => runReceipts(ctx, batch)),
    maxItems: 256,
    lanes: lanesOfMachine,
    laneOf: ({ place }) => laneOf(place.conversation_id),
    maxQueued: 20_000,
  });
}
