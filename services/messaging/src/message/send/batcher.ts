import { createBatcher, lanesOfMachine, type Batcher } from '@parley/kit/batch';
import { laneOf } from '@parley/domain/lane';
import { isolateFailures } from '../../transaction/isolate-failures.ts';
import { conversationContention, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import type { SendOutcome, OutgoingMessage } from './outgoing.ts';
import { answerSendBatch } from './run.ts';

/** `giveUpAt`: milliseconds since the epoch from which on it does not wait for its conversation any more. */
export type QueuedMessage = OutgoingMessage & { giveUpAt: number };

export type SendBatcher = Batcher<QueuedMessage, SendOutcome>;

const MIB = 1_048_576;

/**
 * Group commit of the messages of all senders. A conversation that another transaction holds is set apart, with its
 * messages in their order, and holds up none of the others.
 */
export function createSendBatcher(ctx: Context): SendBatcher {
  const conversationOf = ({ draft }: QueuedMessage) => ({ app_id: draft.appId, id: draft.conversationId });
  const runWith = (locking: LockMode) => (items: QueuedMessage[]) =>
    isolateFailures(
      items,
      (batch) => answerSendBatch(ctx, batch, locking),
      (item) => conversationKey(conversationOf(item)),
    );
  return createBatcher<QueuedMessage, SendOutcome>({
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
