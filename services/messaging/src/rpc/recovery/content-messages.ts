import { create, fromBinary } from '@parley/codec';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import {
  ContentMessageSchema,
  type ContentMessage,
  type FindContentMessagesRequest,
  type ListContentMessagesRequest,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { toMessage } from '../../message/record.ts';
import { scanChanges } from '../../sql/log/change-scan.ts';
import { listMessagesAt, positionOf, type MessagePosition } from '../../sql/message/message-at.ts';
import { findPlaces } from '../../sql/recovery/places.ts';

/** Changes of one call; a message may have a megabyte. */
const PAGE = 100;

/** Reads a page of the change log, and the messages with content that it speaks of, as they are now. */
export async function listContentMessages({ db }: Context, request: ListContentMessagesRequest) {
  const after = {
    appId: request.afterAppId || NIL_UUID,
    conversationId: request.afterConversationId || NIL_UUID,
    seq: request.afterSeq,
  };
  const rows = await scanChanges(db, { since: request.since, after, limit: PAGE });
  const places = rows.flatMap((row): MessagePosition[] => {
    const { body } = fromBinary(EventSchema, row.event);
    if (body.case !== 'messageCreated' && body.case !== 'messagePartsChanged') return [];
    const position = body.value.message?.position;
    return position ? [{ appId: row.app_id, conversationId: row.conversation_id, position }] : [];
  });
  const last = rows.length < PAGE ? undefined : rows.at(-1);
  return {
    messages: await withContent(db, places),
    ...(last && { last: { appId: last.app_id, conversationId: last.conversation_id, seq: last.seq } }),
  };
}

export async function findContentMessages({ db }: Context, { messages }: FindContentMessagesRequest) {
  return { messages: await withContent(db, (await findPlaces(db, messages)).map(positionOf)) };
}

async function withContent(db: Context['db'], places: readonly MessagePosition[]): Promise<ContentMessage[]> {
  const unique = new Map(places.map((place) => [`${place.conversationId}#${place.position}`, place]));
  if (unique.size === 0) return [];
  const rows = await listMessagesAt(
    db,
    [...unique.values()].map((place) => ({ ...place, keptSeq: null })),
  );
  return rows.flatMap((row) => {
    if (row.deleted_at !== null && !row.shadowed) return [];
    const { id, appId, conversationId, sender, parts } = toMessage(row);
    const contents = parts.flatMap(({ content, mimeType }) =>
      content ? [{ id: content.id, mimeType }] : [],
    );
    if (contents.length === 0) return [];
    const { userId: senderId = '', incarnation: senderIncarnation = 0 } = sender ?? {};
    const message = { appId, id, conversationId, senderId, senderIncarnation, contents };
    return [create(ContentMessageSchema, message)];
  });
}
