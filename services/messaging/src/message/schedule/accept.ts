import { toBinary } from '@parley/codec';
import { isUuid } from '@parley/domain/ids';
import { failTooMany } from '@parley/domain/problems';
import { CONTENDED } from '@parley/kit/flow/batch';
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
 * Stores a scheduled message. When the sender's copy is missing, or a bot outside of the conversation is not noted yet,
 * it fetches or notes the sender outside of the transaction and tries again.
 */
export async function acceptScheduled(ctx: Context, request: ScheduleRequest): Promise<ScheduleOutcome> {
  const outcome = await tryInTurn(ctx, { ...request, askedIdentity: false });
  if (outcome.kind !== 'unknown sender' && outcome.kind !== 'non-participant sender') return outcome;
  const { draft } = request.item;
  const { appId, senderId } = draft;
  if (outcome.kind === 'unknown sender') await ctx.identities.fetch([{ appId, userId: senderId }]);
  await ctx.shares.run(appId, () => noteOutsideSenders(ctx.db, [draft]));
  return tryInTurn(ctx, { ...request, askedIdentity: true });
}

function tryInTurn(ctx: Context, attempt: Attempt): Promise<ScheduleOutcome> {
  const { appId, conversationId } = attempt.item.draft;
  return runInTurn(ctx, { appId, id: conversationId }, (locking) =>
    ctx.shares.run(appId, () => ctx.db.tx((tx) => storeScheduled(ctx, tx, { ...attempt, locking }))),
  );
}

/**
 * Stores the message if it could be sent now. The lock of the conversation orders it with the removal of the sender,
 * which either refuses it or drops it. An id that is taken by an earlier attempt of the same call is a success.
 */
async function storeScheduled(
  ctx: Context,
  tx: Tx,
  attempt: Attempt & { locking: LockMode },
): Promise<ScheduleOutcome | typeof CONTENDED> {
  const { item, askedIdentity, locking } = attempt;
  const { appId, conversationId, id, senderId, requestId } = item.draft;
  const [conversation] = await lockInMode(tx, [{ appId, id: conversationId }], locking);
  const query = {
    appId,
    conversationId,
    id,
    senderId,
    low: false,
    exceptionUserIds: [],
  };
  const state = (await listSendStates(tx, [query])).find(({ role }) => role === 'sender');
  if (!state) throw new Error('no send state was read for the message');
  const outcome = checkSend({ item, conversation, state, askedIdentity, now: ctx.clock.now() });
  if (outcome?.kind === 'contended') return CONTENDED;
  if (outcome && outcome.kind !== 'duplicate' && outcome.kind !== 'sent') return outcome;
  const isStored = !outcome && (await insertScheduledMessage(tx, toRow(ctx, attempt, state)));
  if (isStored) await requireRoom(ctx, tx, { appId, conversationId });
  const row = await findScheduledMessage(tx, { appId, id });
  const isOwn = row !== undefined && row.request_id !== null && row.request_id === requestId;
  return row && (isStored || isOwn) ? { kind: 'scheduled', row } : { kind: 'duplicate' };
}

/** Problem: invalid_operation when too many messages wait in the conversation. */
async function requireRoom({ config }: Context, tx: Tx, ref: ConversationRef): Promise<void> {
  const limit = config.maxScheduledMessages;
  if ((await countScheduledMessages(tx, ref)) <= limit) return;
  failTooMany({ property: 'schedule', limit, scope: 'waiting in a conversation' });
}

type ConversationRef = { appId: string; conversationId: string };

function toRow(ctx: Context, { item: { draft }, delayMs, typingMs }: ScheduleRequest, state: SendState) {
  const now = ctx.clock.now();
  const due = now + delayMs;
  const senderIncarnation = state.incarnation ?? 0;
  const takesPart = state.member !== null && state.left_seq === null;
  const membership = takesPart ? { senderJoinedSeq: state.joined_seq } : {};
  return {
    app_id: draft.appId,
    id: draft.id,
    conversation_id: draft.conversationId,
    sender_id: draft.senderId,
    request_id: isUuid(draft.requestId) ? draft.requestId : null,
    created_at: now,
    due_at: due,
    typing_at: typingMs === null ? null : due - typingMs,
    draft: toBinary(MessageDraftSchema, { ...draft, senderIncarnation, ...membership }),
    incarnation: senderIncarnation || null,
  };
}
