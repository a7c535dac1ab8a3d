import type { Tx } from '@parley/kit/postgres';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from './context.ts';
import { lockUploaded } from './sql/content.ts';
import {
  deleteReferences,
  insertReferences,
  lockReferred,
  markUnreferenced,
} from './sql/content-reference.ts';

type Message = { appId: string; messageId: string; parts: readonly Part[] };

/** Makes the references of a message those of its parts. What they left out is kept for a day, like what is not claimed. */
export async function setReferences(ctx: Context, tx: Tx, message: Message): Promise<void> {
  const { appId, messageId, parts } = message;
  const wanted = parts.flatMap(({ content }) => (content ? [content.id] : []));
  await lockReferred(tx, appId, [messageId]);
  const present = (await lockUploaded(tx, appId, wanted)).map(({ id }) => id);
  if (present.length > 0) await insertReferences(tx, { appId, messageId, contentIds: present });
  const ids = await deleteReferences(tx, { appId, messageIds: [messageId], keep: wanted });
  if (ids.length > 0) await markUnreferenced(tx, { appId, ids, at: ctx.clock.now() });
}
