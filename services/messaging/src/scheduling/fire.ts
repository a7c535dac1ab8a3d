import { fromBinary } from '@bufbuild/protobuf';
import type { Tx } from '@parley/kit/postgres';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { createOutgoing } from '../sending/outgoing.ts';
import { raceOut, storeBatch } from '../sending/run.ts';
import { takeScheduledMessages, type ScheduledRef } from '../sql/scheduled-message.ts';
import { finishTyping } from './typists.ts';

/**
 * Sends what is due, in one transaction that takes the rows out and stores the messages by the rules of every send; what
 * they refuse is dropped. A row's lock decides between replicas: whoever comes second finds nothing. The rows are locked
 * before the conversations, against the order of all other transactions, which is safe since nobody who holds a
 * conversation waits for such a row.
 */
export function fireMessages(ctx: Context, refs: readonly ScheduledRef[]): Promise<void> {
  return raceOut(ctx, (tx) => fire(ctx, tx, refs));
}

async function fire(ctx: Context, tx: Tx, refs: readonly ScheduledRef[]): Promise<void> {
  const rows = await takeScheduledMessages(tx, refs);
  if (rows.length === 0) return;
  const items = rows.map((row) => createOutgoing(fromBinary(MessageDraftSchema, row.draft)));
  const lateness = ctx.metrics.histogram({
    name: 'scheduled_message_late_seconds',
    help: 'Time from when a delayed message was due to its storing',
  });
  for (const { due_at } of rows) lateness.observe(Math.max(0, ctx.clock.now() - due_at) / 1000);
  const outcomes = await storeBatch(ctx, tx, { items, askedIdentity: true });
  outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'sent') return;
    const { id, conversation_id } = rows[index] ?? {};
    ctx.log.info(
      { messageId: id, conversationId: conversation_id, outcome: outcome.kind },
      'delayed message dropped',
    );
  });
  tx.afterCommit(() => finishTyping(ctx, rows));
}
