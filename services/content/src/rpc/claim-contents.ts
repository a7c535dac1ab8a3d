import type { MessageInitShape } from '@bufbuild/protobuf';
import { fail } from '@parley/domain/problems';
import type {
  ClaimContentsRequest,
  ClaimContentsResponseSchema,
} from '@parley/proto/parley/content/v1/content_service_pb';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { lockUploaded } from '../sql/content.ts';
import {
  deleteReferences,
  insertReferences,
  lockReferencedContent,
  markUnreferenced,
} from '../sql/content-reference.ts';
import { insertMessage, raiseIncarnation } from '../sql/content-message.ts';

export async function claimContents(
  ctx: Context,
  { appId, conversationId, messageId, senderId, senderIncarnation, items }: ClaimContentsRequest,
): Promise<MessageInitShape<typeof ClaimContentsResponseSchema>> {
  const ids = [...new Set(items.map(({ contentId }) => contentId))];
  const sizes = await ctx.db.tx(async (tx) => {
    const at = ctx.clock.now();
    const sender = { senderId, incarnation: senderIncarnation };
    const message = { appId, id: messageId, conversationId, ...sender, claimedAt: at };
    // Messages are locked before content, as consumers do.
    const isClaimed = await insertMessage(tx, message);
    const isRaised = await raiseIncarnation(tx, message);
    if (isRaised) await dropEarlierReferences(tx, { appId, messageId, ids, at });
    const rows = await lockUploaded(tx, appId, ids);
    const sizeOf = new Map(rows.map((row) => [row.id, row.size]));
    const claimed = items.map((item) => sizeOfItem(item, sizeOf.get(item.contentId)));
    // What is claimed for a message that is gone, or by a session from before an erasure, is refused by who keeps messages.
    if (isClaimed || isRaised) await insertReferences(tx, { appId, messageId, contentIds: ids });
    return claimed;
  });
  return { sizes };
}

type Claim = { appId: string; messageId: string; ids: readonly string[]; at: number };

/** What an earlier incarnation of the sender claimed for the message is not referred to by it any more. */
async function dropEarlierReferences(tx: Tx, { appId, messageId, ids, at }: Claim): Promise<void> {
  await lockReferencedContent(tx, { appId, messageIds: [messageId], ids });
  const gone = await deleteReferences(tx, { appId, messageIds: [messageId], keep: ids });
  if (gone.length > 0) await markUnreferenced(tx, { appId, ids: gone, at });
}

/** The size of the upload overrules the size that the sender states: some clients count characters instead of bytes. */
function sizeOfItem({ part }: ClaimContentsRequest['items'][number], actual: number | undefined): number {
  if (actual !== undefined) return actual;
  const property = `parts.${part}.content.id`;
  return fail('invalid_property', { property, message: `${property} is not that of uploaded content.` });
}
