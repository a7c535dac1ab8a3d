import type { Context } from '../../context.ts';
import type { OutgoingMessage, SendOutcome } from '../send/outgoing.ts';
import { chooseKnown, storeKnown } from './store.ts';

/** The outcomes of those messages of a batch that are stored by what is known; undefined for the others, which had no effect. */
export async function sendKnown(
  ctx: Context,
  items: readonly OutgoingMessage[],
): Promise<readonly (SendOutcome | undefined)[]> {
  const { batch, indexes } = chooseKnown(ctx, items);
  if (indexes.length === 0 || !ctx.known.mayTry()) return [];
  const stored = await storeKnown(ctx, batch);
  if (!stored || indexes.length === items.length) return stored ?? [];
  const outcomes = new Array<SendOutcome | undefined>(items.length);
  indexes.forEach((index, place) => (outcomes[index] = stored[place]));
  return outcomes;
}
