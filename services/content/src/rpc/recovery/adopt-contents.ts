import { randomBytes } from 'node:crypto';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  AdoptContentsRequest,
  AdoptContentsResponseSchema,
  ContentMessage,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { blobKey } from '../../content/blob-key.ts';
import type { Context } from '../../context.ts';
import { listUploaded, lockUploaded } from '../../sql/content.ts';
import { insertMessage } from '../../sql/content-message.ts';
import { insertReferences } from '../../sql/content-reference.ts';
import { enterContent, reviveMessage, type FoundContent } from '../../sql/recovery.ts';

/** Refers messages to their contents, as their claims did; contents without a row are entered if the store has them. */
export async function adoptContents(
  ctx: Context,
  { messages }: AdoptContentsRequest,
): RpcResponse<typeof AdoptContentsResponseSchema> {
  let referredCount = 0;
  let enteredCount = 0;
  const missingIds: string[] = [];
  for (const message of messages) {
    const { found, missing } = await findUnentered(ctx, message);
    const adopted = await refer(ctx, message, found);
    referredCount += adopted.referredCount;
    enteredCount += adopted.enteredCount;
    missingIds.push(...missing);
  }
  return { referredCount, enteredCount, missingIds };
}

/** Contents of a message that are not here as uploaded: those that the store has, and the ids of the others. */
async function findUnentered(ctx: Context, message: ContentMessage) {
  const { appId, conversationId, senderId: userId, senderIncarnation: incarnation } = message;
  const ids = message.contents.map(({ id }) => id);
  const known = new Set((await listUploaded(ctx.db, appId, ids)).map(({ id }) => id));
  const found: FoundContent[] = [];
  const missing: string[] = [];
  for (const { id, mimeType: contentType } of message.contents.filter((one) => !known.has(one.id))) {
    const blob = await ctx.blobs.find(blobKey({ appId, id }));
    if (!blob) missing.push(id);
    else {
      // The upload has ended, so its address needs a hash that no token has.
      const own = { tokenHash: randomBytes(32), at: ctx.clock.now(), size: blob.size };
      found.push({ appId, id, userId, incarnation, conversationId, contentType, ...own });
    }
  }
  return { found, missing };
}

type Adopted = { referredCount: number; enteredCount: number };

/**
 * Returns how many contents the message refers to, and how many of them were entered; none for a message of an earlier incarnation of its
 * sender. The claim is verified an hour later, like any other.
 */
function refer(ctx: Context, message: ContentMessage, found: readonly FoundContent[]): Promise<Adopted> {
  const { appId, id, conversationId, senderId, senderIncarnation: incarnation } = message;
  const ids = [...new Set(message.contents.map((content) => content.id))];
  return ctx.db.tx(async (tx) => {
    await reviveMessage(tx, { appId, id });
    const claimedAt = ctx.clock.now();
    if (!(await insertMessage(tx, { appId, id, conversationId, senderId, incarnation, claimedAt })))
      return { referredCount: 0, enteredCount: 0 };
    for (const content of found) await enterContent(tx, content);
    const contentIds = (await lockUploaded(tx, appId, ids)).map((row) => row.id);
    if (contentIds.length > 0) await insertReferences(tx, { appId, messageId: id, contentIds });
    return { referredCount: contentIds.length, enteredCount: found.length };
  });
}
