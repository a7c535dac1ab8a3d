import type { Tx } from '@parley/kit/postgres';
import type { Context } from './context.ts';
import { markMessagesDeleted } from './sql/content-message.ts';
import { deleteReferences, lockReferred, releaseUnreferenced } from './sql/content-reference.ts';

export type Gone = { appId: string; ids?: readonly string[]; conversationId?: string; senderId?: string };

/** Messages are gone for everybody: what only they referred to is removed. Again: no effect. */
export async function releaseMessages(ctx: Context, tx: Tx, gone: Gone): Promise<void> {
  const at = ctx.clock.now();
  const messageIds = await markMessagesDeleted(tx, { ...gone, at });
  if (messageIds.length === 0) return;
  await lockReferred(tx, gone.appId, messageIds);
  const ids = await deleteReferences(tx, { appId: gone.appId, messageIds });
  if (ids.length > 0) await releaseUnreferenced(tx, { appId: gone.appId, ids, at });
}
