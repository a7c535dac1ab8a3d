import { createErasures } from '@parley/kit/durable/work/erasures';
import type { Tx } from '@parley/kit/postgres';
import { stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Context } from '../context.ts';
import { deleteMessageForAll } from '../message/delete.ts';
import { dropScheduledOfErased } from '../message/schedule/drop.ts';
import { endBlocksOfErased } from '../sql/identity/block-copy.ts';
import { lockConversations, type ConversationRow } from '../sql/conversation/conversation.ts';
import {
  emptyMessages,
  erasureQueue,
  findNextConversation,
  listUnerasedMessages,
  advanceErasure,
  type Erasure,
  type NextConversation,
  type ErasureRange,
} from '../sql/identity/erasure.ts';
import { deleteRestrictionsOf } from '../sql/policy/restriction.ts';
import { findMessage, type ShownMessageRow } from '../sql/message/message.ts';
import { endParticipation } from '../identity/end-participation.ts';
import { eraseReactions } from '../reaction/erase.ts';

/** Messages that one step deletes, each with an event. The conversation is locked meanwhile. */
const DELETIONS_PER_STEP = 20;
/** Positions that one step looks at while it holds the conversation's lock. */
const POSITIONS_PER_STEP = 5000;
/** Reactions that one step takes back, each message with an event. */
const REACTIONS_PER_STEP = 100;
/** Scheduled messages that one step deletes. */
const SCHEDULED_PER_STEP = 500;

/**
 * Deletes the messages of earlier incarnations of erased users, as a server would, takes their reactions back and them out of their
 * conversations, and forgets their receipts. The steps are bounded, so that a crash repeats only one step and no conversation is locked for long. A process that has
 * not heard of the erasure yet still writes under the conversation's lock, and the last step in each conversation waits for that lock.
 */
export function eraseUsers(ctx: Context): Rounds {
  return createErasures(ctx, {
    queue: erasureQueue,
    steps: [(tx, erasure) => eraseStep(ctx, tx, erasure)],
  });
}

/** True: nothing of the user is left. */
async function eraseStep(ctx: Context, tx: Tx, erasure: Erasure): Promise<boolean> {
  const { app_id: appId, user_id: userId, version, done_until: doneUntil } = erasure;
  const user = { appId, userId, version };
  const batch = stepSize(SCHEDULED_PER_STEP, erasure);
  if (doneUntil === NIL_UUID) {
    await deleteRestrictionsOf(tx, user);
    if (!(await endBlocksOfErased(tx, user, batch))) return false;
    if ((await dropScheduledOfErased(ctx, tx, user, batch)) === batch) return false;
  }
  const next = await findNextConversation(tx, user, doneUntil);
  if (!next) return true;
  const until = await eraseSpan(ctx, tx, erasure, next);
  const cursor =
    until === undefined ? { doneUntil: next.id, donePosition: 0 } : { doneUntil, donePosition: until };
  await advanceErasure(tx, user, cursor);
  return false;
}

/** The position up to which nothing of the user is left; undefined: the whole conversation is done. */
async function eraseSpan(
  ctx: Context,
  tx: Tx,
  erasure: Erasure,
  { id, head }: NextConversation,
): Promise<number | undefined> {
  const { app_id: appId, user_id: userId, version, done_position: after } = erasure;
  const until = Math.min(head, after + stepSize(POSITIONS_PER_STEP, erasure));
  const query = { appId, conversationId: id, after, until, senderId: userId, version };
  const refs = await listUnerasedMessages(tx, query, 1);
  // A conversation without such messages is not locked.
  if (refs.length === 0 && until < head) return until;
  const [conversation] = await lockConversations(tx, [{ appId, id }]);
  if (!conversation) return undefined;
  // Messages may arrive while this waits for the lock. When few positions are left, take them all: otherwise a
  // busy conversation would never be finished.
  const rest = conversation.head - after;
  const span = { ...query, until: rest <= POSITIONS_PER_STEP ? conversation.head : until };
  const done =
    conversation.deleted_at === null
      ? await deleteMessages(ctx, tx, { conversation, span, erasure })
      : (await emptyMessages(tx, query), until);
  if (done < conversation.head) return done;
  const person = { userId, version, limit: stepSize(REACTIONS_PER_STEP, erasure) };
  if (await eraseReactions(ctx, tx, conversation, person)) return done;
  await endParticipation(ctx, tx, conversation, { userId, version });
  return undefined;
}

type SpanDeletion = {
  conversation: ConversationRow;
  span: ErasureRange;
  erasure: Erasure;
};

/**
 * Returns the position up to which messages were deleted. Skips messages that another transaction deleted in the
 * meantime.
 */
async function deleteMessages(
  ctx: Context,
  tx: Tx,
  { conversation, span, erasure }: SpanDeletion,
): Promise<number> {
  const limit = stepSize(DELETIONS_PER_STEP, erasure);
  const refs = await listUnerasedMessages(tx, span, limit);
  for (const ref of refs) {
    const message = await findMessage(tx, { appId: ref.app_id, id: ref.id });
    if (!message) continue;
    const deletion = { conversation, message: withoutTraces(message, erasure), isOfErased: true };
    await deleteMessageForAll(ctx, tx, deletion);
  }
  return refs.length === limit ? (refs.at(-1)?.position ?? span.until) : span.until;
}

/** The message as the event of its deletion shows it: without body and names, since events are not erased. */
function withoutTraces(message: ShownMessageRow, { version }: Erasure): ShownMessageRow {
  const names = { sender_display_name: null, sender_avatar_url: null };
  return { ...message, ...names, body: new Uint8Array(), incarnation: version };
}
