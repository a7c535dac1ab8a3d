import type { Sql } from '@parley/kit/postgres';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import { toConversation } from './record.ts';
import { listShownConversations } from '../sql/conversation/conversation-view.ts';
import {
  listLeftMetadata,
  listCurrentParticipantsWithin,
  type CurrentParticipantRow,
} from '../sql/conversation/membership.ts';
import { participantRef, type ParticipantRow } from '../sql/conversation/participant.ts';
import { listOwnParticipants } from '../sql/policy/restriction.ts';
import { rolesOf } from './patch.ts';
import { showPolicy } from './show-policy.ts';
import { loadUserViews } from './user-view.ts';
import type { Viewer } from './viewer.ts';

export type FittingConversations = {
  conversations: Conversation[];
  /** The ids of conversations that did not fit, in the order of `ids`. */
  rest: string[];
};

/**
 * Conversations as the viewer sees them, in the order of `ids`: as many of the first as fit into a budget in bytes, and
 * at least one. Leaves out deleted conversations, and those the user never took part in. Must run in a transaction with
 * one snapshot. The budget limits what is read, not only what is returned.
 */
export async function loadFittingConversations(
  sql: Sql,
  viewer: Viewer,
  { ids: wanted, budget }: { ids: readonly string[]; budget: number },
): Promise<FittingConversations> {
  if (wanted.length === 0) return { conversations: [], rest: [] };
  const { appId } = viewer;
  const [all, participantRows, allOwnRows] = await Promise.all([
    listShownConversations(sql, { appId, ids: wanted }),
    listCurrentParticipantsWithin(sql, { appId, ids: wanted, budget }),
    viewer.userId ? listOwnParticipants(sql, { appId, userId: viewer.userId, ids: wanted }) : [],
  ]);
  const ids = wanted.slice(0, (participantRows[0]?.cut_at ?? Infinity) - 1);
  const rows = pick(new Map(all.map((row) => [row.id, row])), ids);
  const within = new Set(ids);
  const own = allOwnRows.filter((row) => within.has(row.conversation_id));
  const participants = Map.groupBy(participantRows, (row) => row.conversation_id);
  const shown = new Map(
    rows.map((row) => [
      row.id,
      toConversation(appId, row, {
        participants: identitiesOf(participants.get(row.id)),
        metadata: row.metadata,
        roles: rolesOf(participants.get(row.id) ?? []),
      }),
    ]),
  );
  const fitting = (end: number) => ({
    conversations: pick(shown, ids.slice(0, end)),
    rest: wanted.slice(end),
  });
  if (!viewer.userId) return fitting(ids.length);
  await showAsLeft(sql, shown, own);
  const known = new Set(own.map((row) => row.conversation_id));
  for (const id of shown.keys()) if (!known.has(id)) shown.delete(id);
  const views = await loadUserViews(sql, rows, { own, budget });
  for (const [id, view] of views) shown.get(id)!.userView = view;
  await showPolicy(sql, viewer, { rows, own, views });
  const cut = ids.findIndex((id) => shown.has(id) && !views.has(id));
  return fitting(cut === -1 ? ids.length : cut);
}

/** Loads a few conversations, without a byte budget. */
export async function loadConversations(
  sql: Sql,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Conversation[]> {
  const { conversations } = await loadFittingConversations(sql, viewer, {
    ids,
    budget: Number.MAX_SAFE_INTEGER,
  });
  return conversations;
}

/** Loads a conversation with what the user may do; undefined where loadConversations leaves it out. */
export async function loadConversation(
  sql: Sql,
  viewer: Viewer,
  id: string,
): Promise<Conversation | undefined> {
  return (await loadConversations(sql, { ...viewer, asksPermissions: true }, [id]))[0];
}

/** A former participant sees no participants and settings, which may be later ones, and the metadata of when they left. */
async function showAsLeft(
  sql: Sql,
  shown: ReadonlyMap<string, Conversation>,
  own: readonly ParticipantRow[],
): Promise<void> {
  const left = own.filter(({ left_seq }) => left_seq !== null);
  if (left.length === 0) return;
  const kept = await listLeftMetadata(sql, left.map(participantRef));
  const metadata = new Map(kept.map((row) => [row.conversation_id, row.left_metadata]));
  for (const { conversation_id } of left) {
    const conversation = shown.get(conversation_id);
    if (!conversation) continue;
    conversation.participants = [];
    conversation.roles = [];
    delete conversation.frozen;
    conversation.slowModeInSeconds = 0;
    conversation.metadata = metadata.get(conversation_id) ?? conversation.metadata;
  }
}

function identitiesOf(rows: readonly CurrentParticipantRow[] = []) {
  return rows.map(basicIdentity);
}

function pick<T>(shown: ReadonlyMap<string, T>, ids: readonly string[]): T[] {
  return ids.flatMap((id) => shown.get(id) ?? []);
}
