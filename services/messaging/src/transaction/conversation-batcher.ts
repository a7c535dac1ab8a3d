import { laneOf } from '@parley/domain/lane';
import { createBatcher, type Answer, type Batcher, type BatcherOptions } from '@parley/kit/flow/batch';
import type { ConversationRef } from '../sql/conversation/conversation.ts';
import { conversationKey } from '../sql/keys.ts';
import { conversationContention, type LockMode, type WaitingContext } from './contention.ts';
import { isolateFailures } from './isolate-failures.ts';

type Options<I, O> = Pick<
  BatcherOptions<I, O>,
  'maxItems' | 'maxBytes' | 'sizeOf' | 'lanes' | 'splitFrom' | 'maxQueued' | 'observer' | 'runDirectly'
> & {
  conversationOf(item: I): ConversationRef;
  /** Milliseconds since the epoch: from then on the item no longer waits for its conversation. */
  giveUpAt(item: I): number;
  /** Runs a batch in one transaction that locks its conversations in the given mode. */
  run(items: I[], locking: LockMode): Promise<Answer<O>[]>;
  /**
   * Runs first and may answer some items more cheaply. Undefined: the item was not executed. It answers all items of a conversation or
   * none.
   */
  fastPath?(items: readonly I[]): Promise<readonly (O | undefined)[]>;
};

/**
 * Group commit of items that each lock one conversation. A conversation that another transaction holds is set apart with
 * its items in their order, and an item that the database cannot take fails alone: neither delays other conversations.
 */
export function createConversationBatcher<I, O>(ctx: WaitingContext, options: Options<I, O>): Batcher<I, O> {
  const { conversationOf, giveUpAt, run, fastPath, ...limits } = options;

  function keyOf(item: I): string {
    const { appId, id } = conversationOf(item);
    return conversationKey(appId, id);
  }

  function runIsolated(items: I[], locking: LockMode): Promise<Answer<O>[]> {
    return isolateFailures(items, (some) => run(some, locking), keyOf);
  }

  async function runFree(items: I[]): Promise<Answer<O>[]> {
    const early = (await fastPath?.(items)) ?? [];
    const rest = items.filter((_, index) => early[index] === undefined);
    if (rest.length === items.length) return runIsolated(items, 'free');
    // Items answered early are committed, so a later failure rejects only the rest.
    const answers = (rest.length > 0 ? await runIsolated(rest, 'free').catch(failAll(rest)) : []).values();
    return items.map((_, index) => early[index] ?? (answers.next().value as Answer<O>));
  }

  return createBatcher<I, O>({
    ...limits,
    run: runFree,
    laneOf: (item) => laneOf(conversationOf(item).id),
    contention: conversationContention(ctx, {
      conversationOf,
      giveUpAt,
      wait: (items) => runIsolated(items, 'wait'),
    }),
  });
}

function failAll<I>(items: readonly I[]): (error: unknown) => Error[] {
  return (error) => items.map(() => (error instanceof Error ? error : new Error(String(error))));
}
