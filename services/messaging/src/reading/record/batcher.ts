import { laneOf } from '@parley/domain/lane';
import { createBatcher, lanesOfMachine, type Batcher } from '@parley/kit/batch';
import { runApart } from '../../transaction/isolate-failures.ts';
import { conversationContention, type Locking } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import { runReceipts, type Receipt, type ReceiptOutcome } from './run.ts';

/** `giveUpAt`: milliseconds since the epoch from which on it does not wait for its conversation any more. */
export type Receiving = Receipt & { giveUpAt: number };

export type Receipts = Batcher<Receiving, ReceiptOutcome>;

/** Group commit of the receipts of all users; a conversation that another transaction holds is set apart. */
export function createReceipts(ctx: Context): Receipts {
  const conversationOf = ({ place }: Receiving) => ({ app_id: place.app_id, id: place.conversation_id });
  const runWith = (locking: Locking) => (items: Receiving[]) =>
    runApart(
      items,
      (batch) => runReceipts(ctx, batch, locking),
      (item) => conversationKey(conversationOf(item)),
    );
  return createBatcher<Receiving, ReceiptOutcome>({
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
