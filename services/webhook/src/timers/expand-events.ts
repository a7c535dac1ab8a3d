import { fromBinary } from '@parley/codec';
import {
  bulkReceiptOf,
  receiptOfMessage,
  spansAfter,
  type BulkReceipt,
} from '@parley/domain/events/bulk-receipt';
import type { Notice } from '@parley/domain/json/webhook-body';
import type { Tx } from '@parley/kit/postgres';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import type { Deliveries } from '@parley/outbound/deliveries';
import { noticesOf } from '../notices/notices-of-event.ts';
import { recordNotices } from '../notices/record-notices.ts';
import { advanceExpansion, expansionQueue, type Expansion } from '../sql/expansion.ts';
import { listWantedEvents } from '../sql/webhook.ts';

/** How many notices and deliveries one step makes. */
const MAX_NOTICES = 500;
const MAX_DELIVERIES = 2000;

/**
 * Makes the notices of events that have too many for the consumer, a page at a time; a crash repeats no page. A bulk
 * receipt makes a notice for each of its messages.
 */
export function createExpansions(ctx: Context, deliveries: Deliveries): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: expansionQueue,
    db,
    log,
    clock,
    async step(expansion) {
      const event = fromBinary(EventSchema, expansion.event);
      const bulk = bulkReceiptOf(event);
      if (bulk) await expandBulkReceipt(ctx, expansion, { event, bulk });
      else await expandNotices(ctx, expansion, event);
      deliveries.wake();
    },
  });
}

/** Makes the next notices, for the webhooks that still subscribe to them. */
async function expandNotices(ctx: Context, expansion: Expansion, event: Event): Promise<void> {
  const from = expansion.next_position;
  const page = noticesOf(event).slice(from, from + pageSizeOf(expansion));
  await expansionQueue.work(ctx.db, expansion, async (tx) => {
    await recordWanted(ctx, tx, expansion, page);
    await advanceExpansion(tx, expansion, from + page.length);
    return page.length < pageSizeOf(expansion);
  });
}

async function recordWanted(ctx: Context, tx: Tx, expansion: Expansion, notices: Notice[]): Promise<void> {
  const webhooks = await listWantedEvents(tx, expansion.app_id, expansion.webhook_ids);
  const addressed = notices.map((notice) => ({
    notice,
    traceparent: expansion.traceparent,
    webhookIds: webhooks.filter(({ events }) => events.includes(notice.type)).map(({ id }) => id),
  }));
  await recordNotices(ctx, tx, addressed.filter(({ webhookIds }) => webhookIds.length > 0)); // prettier-ignore
}

type BulkReceiptEvent = { event: Event; bulk: BulkReceipt };

async function expandBulkReceipt(
  ctx: Context,
  expansion: Expansion,
  { event, bulk }: BulkReceiptEvent,
): Promise<void> {
  const { appId, conversationId } = event;
  const positions = spansAfter(bulk.spans, expansion.next_position - 1);
  const pageSize = pageSizeOf(expansion);
  const query = { appId, conversationId, positions, pageSize };
  const { items } = positions.length > 0 ? await ctx.messaging.listMessageIds(query) : { items: [] };
  const last = items.at(-1);
  const addressed = items.map((item) => ({
    notice: receiptOf({ event, bulk }, item),
    traceparent: expansion.traceparent,
    webhookIds: expansion.webhook_ids,
  }));
  await expansionQueue.work(ctx.db, expansion, async (tx) => {
    await recordNotices(ctx, tx, addressed);
    if (last) await advanceExpansion(tx, expansion, last.position + 1);
    return items.length < pageSize;
  });
}

function pageSizeOf(expansion: Expansion): number {
  const notices = Math.floor(MAX_DELIVERIES / Math.max(1, expansion.webhook_ids.length));
  return stepSize(Math.min(MAX_NOTICES, notices), expansion);
}

function receiptOf(
  { event, bulk: { type } }: BulkReceiptEvent,
  { id, position }: { id: string; position: number },
): Notice {
  const userId = event.actor?.userId ?? '';
  const receipt = receiptOfMessage(event, { type, userId }, { messageId: id, position });
  return { type: 'Receipt.created', event: receipt };
}
