import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { deleteClaim, markMessagesDeleted, type ClaimRow } from '../sql/content-message.ts';
import {
  deleteReferences,
  lockReferencedContent,
  markUnreferenced,
  releaseUnreferenced,
} from '../sql/content-reference.ts';

export type DeletedMessages = { appId: string; ids: readonly string[] };

/** Ends the contents that only these messages, deleted for all participants, referred to. Idempotent. */
export async function releaseMessages(ctx: Context, tx: Tx, messages: DeletedMessages): Promise<void> {
  if (messages.ids.length === 0) return;
  const at = ctx.clock.now();
  const messageIds = await markMessagesDeleted(tx, { ...messages, at });
  if (messageIds.length === 0) return;
  await lockReferencedContent(tx, { appId: messages.appId, messageIds });
  const ids = await deleteReferences(tx, { appId: messages.appId, messageIds });
  if (ids.length > 0) await releaseUnreferenced(tx, { appId: messages.appId, ids, at });
}

/** Drops the claim of a message that was never created. Its contents are kept for a day, like any without references. */
export async function dropClaim(ctx: Context, tx: Tx, claim: ClaimRow): Promise<void> {
  const { app_id: appId, id } = claim;
  if (!(await deleteClaim(tx, claim))) return;
  await lockReferencedContent(tx, { appId, messageIds: [id] });
  const ids = await deleteReferences(tx, { appId, messageIds: [id] });
  if (ids.length > 0) await markUnreferenced(tx, { appId, ids, at: ctx.clock.now() });
}
