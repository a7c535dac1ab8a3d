import { fromBinary } from '@parley/codec';
import { CONTENDED, type Answer } from '@parley/kit/flow/batch';
import type { Tx } from '@parley/kit/postgres';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { lockInMode, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import { createOutgoingMessage } from '../send/outgoing.ts';
import { retryOnRace, storeInLocked } from '../send/run.ts';
import { takeScheduledMessages, type ScheduledKey } from '../../sql/message/scheduled-message.ts';
import type { LockedConversation } from '../../sql/conversation/conversation.ts';
import { finishTyping } from './typing.ts';

/**
 * Sends due messages in one transaction, which deletes the scheduled rows and stores the messages by the rules of every
 * send. Messages that the rules refuse are dropped. Of several replicas only the one that locks a row sends the
 * message. Messages of a conversation that another transaction holds are contended and stay scheduled.
 */
export function sendDueMessages(
  ctx: Context,
  keys: readonly ScheduledKey[],
  locking: LockMode,
): Promise<Answer<void>[]> {
  return retryOnRace(ctx, async (tx) => {
    const refs = keys.map(({ appId, conversationId }) => ({ appId, id: conversationId }));
    const locked = await lockInMode(tx, refs, locking);
    const free = new Set(locked.map(({ app_id, id }) => conversationKey(app_id, id)));
    const isFree = refs.map((ref) => free.has(conversationKey(ref.appId, ref.id)));
    const toSend = keys.filter((_, index) => isFree[index]);
    if (toSend.length > 0) await takeAndStore(ctx, tx, toSend, locked);
    return keys.map((_, index) => (isFree[index] ? undefined : CONTENDED));
  });
}

async function takeAndStore(
  ctx: Context,
  tx: Tx,
  keys: readonly ScheduledKey[],
  locked: LockedConversation[],
): Promise<void> {
  const rows = await takeScheduledMessages(tx, keys);
  if (rows.length === 0) return;
  const items = rows.map((row) => createOutgoingMessage(fromBinary(MessageDraftSchema, row.draft)));
  const lateness = ctx.metrics.histogram({
    name: 'scheduled_message_late_seconds',
    help: 'Time between the due time of a scheduled message and its storing',
  });
  const outcomes = await storeInLocked(ctx, tx, { items, askedIdentity: true }, locked);
  outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'sent') return;
    const { id, conversation_id } = rows[index] ?? {};
    ctx.log.info(
      { messageId: id, conversationId: conversation_id, outcome: outcome.kind },
      'dropped a scheduled message that may no longer be sent',
    );
  });
  const now = ctx.clock.now();
  tx.afterCommit(() => {
    rows.forEach(({ app_id, due_at }, index) => {
      const ms = Math.max(0, now - due_at);
      lateness.observe(ms / 1000);
      if (outcomes[index]?.kind === 'sent') ctx.figures.late(app_id, ms);
    });
    finishTyping(ctx, rows);
  }, 'same');
}
