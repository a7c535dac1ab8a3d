import type { Sql } from '@parley/kit/postgres';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { basicIdentity } from './basic-identity.ts';
import { toConversation } from './conversations.ts';
import { listShownConversations } from './sql/conversation-view.ts';
import { listParticipants, listPresent, type PresentRow } from './sql/membership.ts';
import type { ParticipantRow } from './sql/participant.ts';
import { loadUserViews } from './user-view.ts';

/** Who looks: a user, or with an empty user id a server. */
export type Viewer = { appId: string; userId: string };

/**
 * Conversations as they look to somebody, in the order of `ids`. Left out: deleted ones, those the user never took part
 * in. To be called in a transaction with one snapshot.
 */
export async function loadConversations(
  sql: Sql,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Conversation[]> {
  if (ids.length === 0) return [];
  const { appId } = viewer;
  const [rows, present, own] = await Promise.all([
    listShownConversations(sql, { app_id: appId, ids }),
    listPresent(sql, { app_id: appId, ids }),
    viewer.userId ? listOwn(sql, viewer, ids) : [],
  ]);
  const participants = Map.groupBy(present, (row) => row.conversation_id);
  const shown = new Map(
    rows.map((row) => [
      row.id,
      toConversation(appId, row, {
        participants: identitiesOf(participants.get(row.id)),
        metadata: row.metadata,
      }),
    ]),
  );
  if (!viewer.userId) return pick(shown, ids);
  for (const { conversation_id, left_seq } of own) {
    const conversation = shown.get(conversation_id);
    if (conversation && left_seq !== null) conversation.participants = [];
  }
  const views = await loadUserViews(sql, rows, own);
  for (const [id, view] of views) shown.get(id)!.userView = view;
  return pick(shown, ids).filter((conversation) => conversation.userView);
}

/** One conversation; undefined where loadConversations leaves it out. */
export async function loadConversation(
  sql: Sql,
  viewer: Viewer,
  id: string,
): Promise<Conversation | undefined> {
  return (await loadConversations(sql, viewer, [id]))[0];
}

function listOwn(sql: Sql, { appId, userId }: Viewer, ids: readonly string[]): Promise<ParticipantRow[]> {
  return listParticipants(
    sql,
    ids.map((id) => ({ app_id: appId, conversation_id: id, user_id: userId })),
  );
}

function identitiesOf(rows: readonly PresentRow[] = []) {
  return rows.map(basicIdentity);
}

function pick(shown: ReadonlyMap<string, Conversation>, ids: readonly string[]): Conversation[] {
  return ids.flatMap((id) => shown.get(id) ?? []);
}
