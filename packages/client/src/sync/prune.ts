import type { RecordWrite } from '../records/rows.ts';
import type { Context } from './context.ts';
import { ask } from './ask.ts';
import { writeAndShow } from './write.ts';

/** So many of the newest messages of a conversation stay when room is needed. */
const KEPT = 50;

/** Has the leader make room: it alone knows the newest records, in which it notes what is gone. */
export async function makeRoom(ctx: Context): Promise<void> {
  const { epoch } = ctx.sync.state;
  if (epoch === undefined) await ask(ctx, { name: 'prune', data: null });
  else await ctx.serial(() => prune(ctx, epoch));
}

/**
 * Takes the older messages of all conversations from the device, and their windows with them. What the user did and is not
 * confirmed stays.
 */
async function prune(ctx: Context, epoch: number): Promise<void> {
  const removals: RecordWrite[] = [];
  const puts: RecordWrite[] = [];
  for (const conversation of ctx.records.conversations.values()) {
    const { id, window } = conversation;
    const newest = await ctx.store.list('messages', { group: id, limit: KEPT + 1 });
    const below = newest[KEPT - 1]?.order;
    if (below === undefined || newest.length <= KEPT || !window) continue;
    removals.push({ kind: 'removeGroup', table: 'messages', group: id, below });
    const from = Math.max(window.from, below);
    const start = window.start && from === window.from;
    const value = { ...conversation, window: { ...window, from, start } };
    puts.push({ kind: 'put', table: 'conversations', row: { key: id, group: '', order: 0, value } });
  }
  ctx.diagnose('pruned', { conversations: puts.length });
  // Removals first: they need no room.
  await writeAndShow(ctx, [...removals, ...puts], epoch);
}
