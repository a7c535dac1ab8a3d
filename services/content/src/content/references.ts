import type { Tx } from '@parley/kit/postgres';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { lockUploaded } from '../sql/content.ts';
import {
  deleteReferences,
  insertReferences,
  lockReferencedContent,
  markUnreferenced,
} from '../sql/content-reference.ts';

type MessageParts = { appId: string; messageId: string; parts: readonly Part[] };

/**
 * Sets the references of messages to the contents of their present parts. All messages are of one application, and locked.
 * Contents that lose their last reference are kept for a day, like contents that were never referred to.
 */
export async function setReferences(ctx: Context, tx: Tx, messages: readonly MessageParts[]): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const messageIds = messages.map(({ messageId }) => messageId);
  await lockReferencedContent(tx, { appId: first.appId, messageIds, ids: messages.flatMap(contentIdsOf) });
  for (const message of messages) await setReferencesOf(ctx, tx, message);
}

function contentIdsOf({ parts }: MessageParts): string[] {
  return parts.flatMap(({ content }) => (content ? [content.id] : []));
}

async function setReferencesOf(ctx: Context, tx: Tx, message: MessageParts): Promise<void> {
  const { appId, messageId } = message;
  const wanted = contentIdsOf(message);
  const present = (await lockUploaded(tx, appId, wanted)).map(({ id }) => id);
  if (present.length > 0) await insertReferences(tx, { appId, messageId, contentIds: present });
  const ids = await deleteReferences(tx, { appId, messageIds: [messageId], keep: wanted });
  if (ids.length > 0) await markUnreferenced(tx, { appId, ids, at: ctx.clock.now() });
}
