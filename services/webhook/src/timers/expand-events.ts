import { create, fromBinary } from '@bufbuild/protobuf';
import { derivedId } from '@parley/domain/derived-id';
import type { Notice } from '@parley/domain/json/webhook-body';
import { createRounds, stepSize, type Rounds } from '@parley/kit/work-queue';
import { EventSchema, ReceiptRecordedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { recordNotices } from '../consume/events.ts';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import { advanceExpansion, expansionQueue, type Expansion } from '../sql/expansion.ts';

/** Messages and deliveries that one step makes notices of. */
const MOST_MESSAGES = 500;
const MOST_DELIVERIES = 2000;

/** Tells of each message that was read when all were, a page at a time; a crash repeats no page. */
export function createExpansions(ctx: Context, deliveries: Deliveries): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    ...{ queue: expansionQueue, db, log, clock },
    async step(expansion) {
      await expandPage(ctx, expansion);
      deliveries.wake();
    },
  });
}

async function expandPage(ctx: Context, expansion: Expansion): Promise<void> {
  const event = fromBinary(EventSchema, expansion.event);
  if (event.body.case !== 'allRead') throw new Error('an expansion of another event');
  const { appId, conversationId } = event;
  const positions = event.body.value.newlyRead
    .filter(({ last }) => last === 0 || last >= expansion.next_position)
    .map(({ first, last }) => ({ first: Math.max(first, expansion.next_position), last }));
  const pageSize = pageSizeOf(expansion);
  const query = { appId, conversationId, positions, pageSize };
  const { items } = positions.length > 0 ? await ctx.messaging.listMessageIds(query) : { items: [] };
  const last = items.at(-1);
  const owed = items.map((item) => ({ notice: receiptOf(event, item), webhookIds: expansion.webhook_ids }));
  await expansionQueue.work(ctx.db, expansion, async (tx) => {
    await recordNotices(ctx, tx, owed);
    if (last) await advanceExpansion(tx, expansion, last.position + 1);
    return items.length < pageSize;
  });
}

function pageSizeOf(expansion: Expansion): number {
  const messages = Math.floor(MOST_DELIVERIES / Math.max(1, expansion.webhook_ids.length));
  return stepSize(Math.min(MOST_MESSAGES, messages), expansion);
}

function receiptOf(event: Event, { id, position }: { id: string; position: number }): Notice {
  const userId = event.actor?.userId ?? '';
  const value = create(ReceiptRecordedSchema, { type: ReceiptType.READ, userId, messageId: id, position });
  return {
    type: 'Receipt.created',
    event: { ...event, id: derivedId(event.id, id), body: { case: 'receiptRecorded', value } },
  };
}
