import { createBatcher, lanesOfMachine, type Batcher } from '@parley/kit/batch';
import { laneOf } from '@parley/domain/lane';
import { runApart } from '../../transaction/isolate-failures.ts';
import { conversationContention, type Locking } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import type { Outcome, Outgoing } from './outgoing.ts';
import { answerSends } from './run.ts';

/** `giveUpAt`: milliseconds since the epoch from which on it does not wait for its conversation any more. */
export type Sending = Outgoing & { giveUpAt: number };

export type Sends = Batcher<Sending, Outcome>;

const MIB = 1_048_576;

/**
 * Group commit of the messages of all senders. A conversation that another transaction holds is set apart, with its
 * messages in their order, and holds up none of the others.
 */
export function createSends(ctx: Context): Sends {
  const conversationOf = ({ draft }: Sending) => ({ app_id: draft.appId, id: draft.conversationId });
  const runWith = (locking: Locking) => (items: Sending[]) =>
    runApart(
      items,
      (batch) => answerSends(ctx, batch, locking),
      (item) => conversationKey(conversationOf(item)),
    );
  return createBatcher<Sending, Outcome>({
    run: runWith('free'),
    contention: conversationContention(ctx, {
      conversationOf,
      giveUpAt: ({ giveUpAt }) => giveUpAt,
      wait: runWith('wait'),
    }),
    maxItems: 256,
    maxBytes: MIB,
    sizeOf: ({ body }) => body.length,
    lanes: lanesOfMachine,
    laneOf: ({ draft }) => laneOf(draft.conversationId),
    maxQueued: 20_000,
  });
}
