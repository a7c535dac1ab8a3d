import type { RpcResponse } from '@parley/kit/rpc/response';
import { isFilename } from '@parley/domain/filename';
import { fail } from '@parley/domain/problems';
import type {
  ClaimContentsRequest,
  ClaimContentsResponseSchema,
} from '@parley/proto/parley/content/v1/content_service_pb';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { lockUploaded, nameContents } from '../sql/content.ts';
import {
  deleteReferences,
  insertReferences,
  lockReferencedContent,
  markUnreferenced,
} from '../sql/content-reference.ts';
import { insertMessage, raiseIncarnation } from '../sql/content-message.ts';

/**
 * Refers a message that is about to be stored to uploaded contents, and returns their sizes. Problems: invalid_property for a
 * content that is not uploaded.
 */
export async function claimContents(
  ctx: Context,
  { appId, conversationId, messageId, senderId, senderIncarnation, items }: ClaimContentsRequest,
): RpcResponse<typeof ClaimContentsResponseSchema> {
  const ids = [...new Set(items.map(({ contentId }) => contentId))];
  const sizes = await ctx.db.tx(async (tx) => {
    const at = ctx.clock.now();
    const sender = { senderId, incarnation: senderIncarnation };
    const message = { appId, id: messageId, conversationId, ...sender, claimedAt: at };
    // Messages are locked before contents, in the same order as by consumers.
    const isClaimed = await insertMessage(tx, message);
    const isRaised = await raiseIncarnation(tx, message);
    if (isRaised) await dropEarlierReferences(tx, { appId, messageId, ids, at });
    const rows = await lockUploaded(tx, appId, ids);
    const sizeOf = new Map(rows.map((row) => [row.id, row.size]));
    const claimed = items.map((item) => sizeOfItem(item, sizeOf.get(item.contentId)));
    // For a deleted message, or a session from before an erasure, no reference is made: messaging refuses the message.
    if (isClaimed || isRaised) await insertReferences(tx, { appId, messageId, contentIds: ids });
    await nameAfterParts(tx, appId, items);
    return claimed;
  });
  return { sizes };
}

/** The first name that the media type of a part has is that of content that was uploaded without one. */
async function nameAfterParts(tx: Tx, appId: string, items: ClaimContentsRequest['items']): Promise<void> {
  const names = new Map<string, string>();
  for (const { contentId, name } of items)
    if (isFilename(name) && !names.has(contentId)) names.set(contentId, name);
  if (names.size > 0) await nameContents(tx, appId, names);
}

type Claim = { appId: string; messageId: string; ids: readonly string[]; at: number };

/** Drops the references that an earlier incarnation of the sender claimed for the message. */
async function dropEarlierReferences(tx: Tx, { appId, messageId, ids, at }: Claim): Promise<void> {
  await lockReferencedContent(tx, { appId, messageIds: [messageId], ids });
  const unreferenced = await deleteReferences(tx, { appId, messageIds: [messageId], keep: ids });
  if (unreferenced.length > 0) await markUnreferenced(tx, { appId, ids: unreferenced, at });
}

/** The upload's size overrides the size that the sender states: some clients count characters instead of bytes. */
function sizeOfItem({ part }: ClaimContentsRequest['items'][number], actual: number | undefined): number {
  if (actual !== undefined) return actual;
  const property = `parts.${part}.content.id`;
  return fail('invalid_property', { property, message: `${property} is not that of uploaded content.` });
}
