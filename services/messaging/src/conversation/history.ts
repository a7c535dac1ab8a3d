import { maskOf } from '@parley/domain/events';
import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { Context } from '../context.ts';
import { addChange, writeChanges } from '../log/append.ts';
import { createProgress, limitOf, type Progress } from '../read-state/progress.ts';
import { contains } from '../read-state/ranges.ts';
import { updateConversations, type ConversationRow } from '../sql/conversation/conversation.ts';
import { addOwedChange, listParticipants, showHistories } from '../sql/conversation/membership.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';
import { listPlaced } from '../sql/conversation/list-place.ts';
import { listBlockedSenders, writeListPlaces } from '../sql/identity/withheld-on-join.ts';
import { write } from '../sql/statement.ts';
import { findNewestSeen, seerOf } from './newest-seen.ts';
import { withholdOnJoin } from './withhold-on-join.ts';

/** Gives a conversation its place in the lists of users who are not shown its newest messages. */
export async function placeNewcomers(
  tx: Tx,
  conversation: ConversationRow,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  const rows = await listRows(tx, conversation, userIds);
  await writePlaces(
    tx,
    conversation,
    rows.map(toProgress).filter(({ unseen }) => contains(unseen, conversation.head)),
  );
}

function toProgress(row: ParticipantRow): Progress {
  return createProgress(row, new Map(), []);
}

async function writePlaces(
  tx: Tx,
  { app_id: appId, id: conversationId, head }: ConversationRow,
  progresses: readonly Progress[],
): Promise<void> {
  if (progresses.length === 0) return;
  // Hiding a conversation does not change its place in the user's list.
  const seers = progresses.map((progress) => ({ ...seerOf(progress), hiddenUntil: 0 }));
  const place = { appId, conversationId };
  const seen = await findNewestSeen(tx, { ...place, head }, seers);
  await writeListPlaces(tx, place, { head, seen });
}

function listRows(tx: Tx, { app_id, id }: ConversationRow, userIds: readonly string[]) {
  return listParticipants(
    tx,
    userIds.map((userId) => ({ appId: app_id, conversationId: id, userId })),
  );
}

/**
 * Shows users the whole history, but for messages of those whom they block now, and has their devices get the conversation anew; those who have
 * just been `added` get it in any case. Answers whether that changed anything. Problem: invalid_property, for a user who never took part.
 */
export async function showHistory(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  { shown, added }: { shown: readonly string[]; added: readonly string[] },
): Promise<boolean> {
  if (shown.length === 0) return false;
  const rows = await listRows(tx, conversation, shown);
  const known = new Set(rows.map(({ user_id }) => user_id));
  const unknown = shown.find((userId) => !known.has(userId));
  if (unknown !== undefined) failNoParticipant(unknown);
  const unseeing = rows.filter(({ unseen }) => unseen);
  if (unseeing.length === 0) return false;
  const userIds = unseeing.map(({ user_id }) => user_id);
  const place = { appId: conversation.app_id, conversationId: conversation.id };
  await write(tx, [showHistories(conversation, userIds)]);
  const before = unseeing.map(toProgress);
  const within = new Map(before.map(({ row, unseen }) => [row.user_id, unseen]));
  await withholdOnJoin(tx, conversation, await listBlockedSenders(tx, place, userIds), within);
  const after = await listRows(tx, conversation, userIds);
  const placed = new Set(await listPlaced(tx, place, { head: conversation.head, userIds }));
  const moved = after.filter(({ user_id }) => placed.has(user_id));
  await writePlaces(tx, conversation, moved.map(toProgress));
  await tellShown(
    ctx,
    tx,
    conversation,
    after.filter((row) => !added.includes(row.user_id) && isListed(row, conversation.head)),
  );
  return true;
}

// A conversation that its user has hidden does not come back: a message brings it.
function isListed(row: ParticipantRow, head: number): boolean {
  return row.unlisted_at === null || row.unlisted_at < limitOf(toProgress(row), head);
}

async function tellShown(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  rows: readonly ParticipantRow[],
): Promise<void> {
  const changes = rows.map((row) =>
    addChange(ctx, conversation, {
      actor: basicIdentity(row),
      onlyUserIds: [row.user_id],
      shards: maskOf([row.user_id]),
      body: { case: 'conversationRelisted', value: { userId: row.user_id } },
    }),
  );
  if (changes.length === 0) return;
  const owed = rows.flatMap((row, index) => {
    const ref = { appId: row.app_id, conversationId: row.conversation_id, userId: row.user_id };
    return row.left_seq === null ? [] : [addOwedChange(ref, changes[index]!.event.seq)];
  });
  await writeChanges(ctx, tx, { changes, statements: [updateConversations([conversation]), ...owed] });
}

function failNoParticipant(userId: string): never {
  const message = `The user ${userId} never took part in the conversation.`;
  return fail('invalid_property', { property: 'history', message });
}
