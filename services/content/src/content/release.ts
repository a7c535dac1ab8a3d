import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { deleteClaim, markMessagesDeleted, type ClaimRow } from '../sql/content-message.ts';
import {
  deleteReferences,
  lockReferred,
  markUnreferenced,
  releaseUnreferenced,
} from '../sql/content-reference.ts';

export type Gone = { appId: string; ids: readonly string[] };

/** Messages are gone for everybody: what only they referred to is removed. Again: no effect. */
export async function releaseMessages(ctx: Context, tx: Tx, gone: Gone): Promise<void> {
  if (gone.ids.length === 0) return;
  const at = ctx.clock.now();
  const messageIds = await markMessagesDeleted(tx, { ...gone, at });
  if (messageIds.length === 0) return;
  await lockReferred(tx, { appId: gone.appId, messageIds });
  const ids = await deleteReferences(tx, { appId: gone.appId, messageIds });
  if (ids.length > 0) await releaseUnreferenced(tx, { appId: gone.appId, ids, at });
}

/** The message never came to be: what only it would have referred to is kept for a day, like what is not claimed. */
export async function lapseClaim(ctx: Context, tx: Tx, claim: ClaimRow): Promise<void> {
  const { app_id: appId, id } = claim;
  if (!(await deleteClaim(tx, claim))) return;
  await lockReferred(tx, { appId, messageIds: [id] });
  const ids = await deleteReferences(tx, { appId, messageIds: [id] });
  if (ids.length > 0) await markUnreferenced(tx, { appId, ids, at: ctx.clock.now() });
}
