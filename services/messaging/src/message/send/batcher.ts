import { LANES_OF_MACHINE, observeBatches, SPLIT_FROM_ITEMS, type Batcher } from '@parley/kit/flow/batch';
import type { Context } from '../../context.ts';
import { directConnections } from '../../transaction/contention.ts';
import { createConversationBatcher } from '../../transaction/conversation-batcher.ts';
import { createDirectSends } from '../cached/send-directly.ts';
import { sendFromCache } from '../cached/send-from-cache.ts';
import type { OutgoingMessage, SendOutcome } from './outgoing.ts';
import { answerSendBatch } from './run.ts';

/** `giveUpAt`: by `performance.now()`; from then on the message no longer waits for its conversation. */
export type QueuedMessage = OutgoingMessage & { giveUpAt: number };

export type SendBatcher = Batcher<QueuedMessage, SendOutcome>;

const MIB = 1_048_576;

/** Group commit of the messages of all senders. */
export function createSendBatcher(ctx: Context): SendBatcher {
  const tried = new WeakSet<QueuedMessage>();
  const writer = ctx.db.directWriter(directConnections(ctx.config.sendPoolSize));
  return createConversationBatcher<QueuedMessage, SendOutcome>(ctx, {
    conversationOf: ({ draft }) => ({ appId: draft.appId, id: draft.conversationId }),
    giveUpAt: ({ giveUpAt }) => giveUpAt,
    run: (items, locking) => answerSendBatch(ctx, items, locking),
    runDirectly: writer && createDirectSends(ctx, writer, tried),
    fastPath: (items) =>
      items.some((item) => tried.has(item)) ? Promise.resolve([]) : sendFromCache(ctx, items),
    maxItems: 256,
    maxBytes: MIB,
    sizeOf: ({ body }) => body.length,
    lanes: LANES_OF_MACHINE,
    splitFrom: SPLIT_FROM_ITEMS,
    maxQueued: 20_000,
    observer: observeBatches(ctx.metrics, 'messages'),
  });
}
