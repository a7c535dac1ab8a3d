import { absorb } from '../records/in-memory.ts';
import type { Context } from './context.ts';
import type { Write } from '../store/store.ts';

/** So many of the newest messages of a conversation stay when room is needed. */
const KEPT = 50;

/** Has the leader make room: it alone knows the newest records, in which it notes what is gone. */
export async function makeRoom(ctx: Context): Promise<void> {
  const { epoch } = ctx;
  if (epoch === undefined) await ctx.coordinator.ask({ name: 'prune', data: null });
  else await ctx.serial(() => prune(ctx, epoch));
}

/**
 * Takes the older messages of all conversations from the device, and their windows with them. What the user did and is not
 * confirmed stays.
 */
async function prune(ctx: Context, epoch: number): Promise<void> {
  const writes: Write[] = [];
  for (const conversation of ctx.records.conversations.values()) {
    const newest = await ctx.store.list('messages', { group: conversation.id, limit: KEPT + 1 });
    const below = newest[KEPT - 1]?.order;
    const { window } = conversation;
    if (below === undefined || newest.length <= KEPT || !window) continue;
    writes.push({ kind: 'removeGroup', table: 'messages', group: conversation.id, below });
    const from = Math.max(window.from, below);
    const value = {
      ...conversation,
      window: { ...window, from, start: window.start && from === window.from },
    };
    const row = { key: conversation.id, group: '', order: 0, value };
    writes.push({ kind: 'put', table: 'conversations', row });
  }
  ctx.diagnose('pruned', { conversations: writes.length / 2 });
  // Removals first: they need no room.
  writes.sort((one, other) => Number(one.kind === 'put') - Number(other.kind === 'put'));
  await ctx.store.write(writes, { epoch });
  absorb(ctx.records, writes);
  ctx.coordinator.post({ kind: 'writes', writes });
  ctx.changed(writes, false);
}
