import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents, consumeEventsByCell, type EventReaction } from '@parley/events/consume';
import type { Context } from '../context.ts';

/** A consumer of events that each cell records and handles those of its applications of. `reactionOf`: equal in all cells but for its handler. */
export function consumeInCells(
  contexts: readonly Context[],
  reactionOf: (ctx: Context, cell: number) => EventReaction,
): Consumer {
  const [ctx] = contexts;
  if (!ctx) throw new Error('there is no cell');
  if (contexts.length === 1) return consumeEvents(ctx, reactionOf(ctx, 0));
  const cells = contexts.map((base, cell) => ({ base, reaction: reactionOf(base, cell) }));
  return consumeEventsByCell(cells, (appId) => ctx.cells.of(appId));
}
