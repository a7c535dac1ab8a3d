import { laneOf } from '@parley/domain/lane';
import { createBatcher, type Answer, type Batcher, type BatcherOptions } from '@parley/kit/batch';
import type { ConversationRef } from '../sql/conversation/conversation.ts';
import { conversationKey } from '../sql/keys.ts';
import { conversationContention, type LockMode, type WaitingContext } from './contention.ts';
import { isolateFailures } from './isolate-failures.ts';

type Options<I, O> = Pick<
  BatcherOptions<I, O>,
  'maxItems' | 'maxBytes' | 'sizeOf' | 'lanes' | 'maxQueued' | 'observer'
> & {
  conversationOf(item: I): ConversationRef;
  /** Milliseconds since the epoch: from then on the item no longer waits for its conversation. */
  giveUpAt(item: I): number;
  /** Runs a batch in one transaction that locks its conversations in the given mode. */
  run(items: I[], locking: LockMode): Promise<Answer<O>[]>;
};

/**
 * Group commit of items that each lock one conversation. A conversation that another transaction holds is set apart with
 * its items in their order, and an item that the database cannot take fails alone: neither delays other conversations.
 */
export function createConversationBatcher<I, O>(ctx: WaitingContext, options: Options<I, O>): Batcher<I, O> {
  const { conversationOf, giveUpAt, run, ...limits } = options;

  function keyOf(item: I): string {
    const { appId, id } = conversationOf(item);
    return conversationKey(appId, id);
  }

  function runIsolated(items: I[], locking: LockMode): Promise<Answer<O>[]> {
    return isolateFailures(items, (some) => run(some, locking), keyOf);
  }

  return createBatcher<I, O>({
    ...limits,
    run: (items) => runIsolated(items, 'free'),
    laneOf: (item) => laneOf(conversationOf(item).id),
    contention: conversationContention(ctx, {
      conversationOf,
      giveUpAt,
      wait: (items) => runIsolated(items, 'wait'),
    }),
  });
}
