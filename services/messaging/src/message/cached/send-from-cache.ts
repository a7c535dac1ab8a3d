import type { Context } from '../../context.ts';
import type { OutgoingMessage, SendOutcome } from '../send/outgoing.ts';
import { selectCached, storeFromCache } from './store-from-cache.ts';

/** Stores from the cache what it can. Returns the outcomes by index; undefined for messages that were not stored. */
export async function sendFromCache(
  ctx: Context,
  items: readonly OutgoingMessage[],
): Promise<readonly (SendOutcome | undefined)[]> {
  const { batch, indexes } = selectCached(ctx, items);
  if (indexes.length === 0 || !ctx.conversationCache.mayTry()) return [];
  const stored = await storeFromCache(ctx, batch);
  if (!stored || indexes.length === items.length) return stored ?? [];
  const outcomes = new Array<SendOutcome | undefined>(items.length);
  indexes.forEach((index, place) => (outcomes[index] = stored[place]));
  return outcomes;
}
