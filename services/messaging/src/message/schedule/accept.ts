import { toBinary } from '@bufbuild/protobuf';
import { isUuid } from '@parley/domain/ids';
import { failTooMany } from '@parley/domain/problems';
import { CONTENDED } from '@parley/kit/batch';
import type { Tx } from '@parley/kit/postgres';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { runInTurn } from '../../transaction/change-conversation.ts';
import { lockInMode, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { checkSend } from '../send/check.ts';
import { noteOutsideSenders } from '../send/outside-senders.ts';
import type { SendOutcome, OutgoingMessage } from '../send/outgoing.ts';
import {
  countScheduledMessages,
  findScheduledMessage,
  insertScheduledMessage,
  type ScheduledRow,
} from '../../sql/message/scheduled-message.ts';
import { listSendStates, type SendState } from '../../sql/message/send-state.ts';

export type ScheduleRequest = {
  item: OutgoingMessage;
  delayMs: number;
  /** Null: the sender does not appear typing. */
  typingMs: number | null;
};

type Attempt = ScheduleRequest & { askedIdentity: boolean };

export type ScheduleOutcome =
  { kind: 'scheduled'; row: ScheduledRow } | Exclude<SendOutcome, { kind: 'sent' } | { kind: 'contended' }>;

/**
 * Stores a scheduled message. A sender without a copy here is fetched from identity, and a bot that does not take part is
 * noted, both outside of the transaction; then the message is tried again.
 */
export async function acceptScheduled(ctx: Context, request: ScheduleRequest): Promise<ScheduleOutcome> {
  const outcome = await tryInTurn(ctx, { ...request, askedIdentity: false });
  if (outcome.kind !== 'unknown sender' && outcome.kind !== 'outside sender') return outcome;
  const { draft } = request.item;
  const { appId, senderId } = draft;
  if (outcome.kind === 'unknown sender') await ctx.identities.fetch([{ app_id: appId, user_id: senderId }]);
  await ctx.shares.run(appId, () => noteOutsideSenders(ctx.db, [draft]));
  return tryInTurn(ctx, { ...request, askedIdentity: true });
}

function tryInTurn(ctx: Context, attempt: Attempt): Promise<ScheduleOutcome> {
  const { appId, conversationId } = attempt.item.draft;
  return runInTurn(ctx, { app_id: appId, id: conversationId }, (locking) =>
    ctx.shares.run(appId, () => ctx.db.tx((tx) => storeScheduled(ctx, tx, { ...attempt, locking }))),
  );
}

/**
 * Stores a message that waits, if it could be sent now: under the conversation's lock, so that a removal either comes first
 * or drops it. An id that is taken by the same call's own row is a success.
 */
async function storeScheduled(
  ctx: Context,
  tx: Tx,
  attempt: Attempt & { locking: LockMode },
): Promise<ScheduleOutcome | typeof CONTENDED> {
  const { item, askedIdentity, locking } = attempt;
  const { appId, conversationId, id, senderId, requestId } = item.draft;
  const [conversation] = await lockInMode(tx, [{ app_id: appId, id: conversationId }], locking);
  const query = {
    app_id: appId,
    conversation_id: conversationId,
    id,
    sender_id: senderId,
    low: false,
    contrary_user_ids: [],
  };
  const state = (await listSendStates(tx, [query])).find(({ role }) => role === 'sender');
  if (!state) throw new Error('a message has no state');
  const outcome = checkSend({ item, conversation, state, askedIdentity });
  if (outcome?.kind === 'contended') return CONTENDED;
  if (outcome && outcome.kind !== 'duplicate' && outcome.kind !== 'sent') return outcome;
  const isStored = !outcome && (await insertScheduledMessage(tx, toRow(ctx, attempt, state)));
  if (isStored) await requireRoom(ctx, tx, { app_id: appId, conversation_id: conversationId });
  const row = await findScheduledMessage(tx, { app_id: appId, id });
  const isOwn = row !== undefined && row.request_id !== null && row.request_id === requestId;
  return row && (isStored || isOwn) ? { kind: 'scheduled', row } : { kind: 'duplicate' };
}

/** Problems: invalid_operation. */
async function requireRoom({ config }: Context, tx: Tx, ref: ConversationRef): Promise<void> {
  const limit = config.maxScheduledMessages;
  if ((await countScheduledMessages(tx, ref)) <= limit) return;
  failTooMany({ property: 'schedule', limit, scope: 'waiting in a conversation' });
}

type ConversationRef = { app_id: string; conversation_id: string };

function toRow(ctx: Context, { item: { draft }, delayMs, typingMs }: ScheduleRequest, state: SendState) {
  const now = ctx.clock.now();
  const due = now + delayMs;
  const senderIncarnation = state.incarnation ?? 0;
  return {
    app_id: draft.appId,
    id: draft.id,
    conversation_id: draft.conversationId,
    sender_id: draft.senderId,
    request_id: isUuid(draft.requestId) ? draft.requestId : null,
    created_at: now,
    due_at: due,
    typing_at: typingMs === null ? null : due - typingMs,
    draft: toBinary(MessageDraftSchema, { ...draft, senderIncarnation }),
    incarnation: senderIncarnation || null,
  };
}
