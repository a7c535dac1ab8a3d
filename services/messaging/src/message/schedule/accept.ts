import { toBinary } from '@bufbuild/protobuf';
import { isUuid } from '@parley/domain/ids';
import { failTooMany } from '@parley/domain/problems';
import { CONTENDED } from '@parley/kit/batch';
import type { Tx } from '@parley/kit/postgres';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { lockInMode, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { checkSend } from '../send/check.ts';
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
  askedIdentity: boolean;
};

export type ScheduleOutcome =
  { kind: 'scheduled'; row: ScheduledRow } | Exclude<SendOutcome, { kind: 'sent' } | { kind: 'contended' }>;

/**
 * Stores a message that waits, if it could be sent now: under the conversation's lock, so that a removal either comes first
 * or drops it. An id that is taken by the same call's own row is a success.
 */
export async function acceptScheduled(
  ctx: Context,
  tx: Tx,
  acceptance: ScheduleRequest & { locking: LockMode },
): Promise<ScheduleOutcome | typeof CONTENDED> {
  const { item, askedIdentity, locking } = acceptance;
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
  const isStored = !outcome && (await insertScheduledMessage(tx, toRow(ctx, acceptance, state)));
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
