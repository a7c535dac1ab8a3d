import type { Context } from '../context.ts';
import { foldConversationCounts } from '../sql/conversation/conversation-count.ts';

/** Keeps the number of rows that count an app's conversations small. */
export async function foldCounts(ctx: Context): Promise<void> {
  await foldConversationCounts(ctx.db);
}
