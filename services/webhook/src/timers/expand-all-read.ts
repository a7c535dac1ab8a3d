import { create, fromBinary } from '@bufbuild/protobuf';
import { derivedId } from '@parley/domain/derived-id';
import type { Notice } from '@parley/domain/json/webhook-body';
import { EventSchema, ReceiptRecordedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { recordNotices } from '../consume/events.ts';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import { advanceExpansion, deleteExpansion, listExpansions, type ExpansionRow } from '../sql/expansion.ts';

const AT_ONCE = 20;
const PAGE = 500;

/** Tells of each message that was read when everything was, a page at a time; a crash repeats no page. */
export async function expandAllRead(ctx: Context, deliveries: Deliveries): Promise<void> {
  for (;;) {
    const expansions = await listExpansions(ctx.db, AT_ONCE);
    for (const expansion of expansions) {
      while (await expandPage(ctx, expansion)) deliveries.wake();
      deliveries.wake();
    }
    if (expansions.length < AT_ONCE) return;
  }
}

/** Whether there may be more; false also when another replica has moved on with it. */
async function expandPage(ctx: Context, expansion: ExpansionRow): Promise<boolean> {
  const event = fromBinary(EventSchema, expansion.event);
  if (event.body.case !== 'allRead') throw new Error('an expansion of another event');
  const { appId, conversationId } = event;
  const positions = event.body.value.newlyRead
    .filter(({ last }) => last === 0 || last >= expansion.next_position)
    .map(({ first, last }) => ({ first: Math.max(first, expansion.next_position), last }));
  const query = { appId, conversationId, positions, pageSize: PAGE };
  const { items } = positions.length > 0 ? await ctx.messaging.listMessageIds(query) : { items: [] };
  const last = items.at(-1);
  const isWhole = items.length < PAGE || !last;
  const next = last ? last.position + 1 : expansion.next_position;
  const isOwn = await ctx.db.tx(async (tx) => {
    if (!(await advanceExpansion(tx, expansion, next))) return false;
    const owed = items.map((item) => ({ notice: receiptOf(event, item), webhookIds: expansion.webhook_ids }));
    await recordNotices(ctx, tx, owed);
    if (isWhole) await deleteExpansion(tx, expansion);
    return true;
  });
  expansion.next_position = next;
  return isOwn && !isWhole;
}

function receiptOf(event: Event, { id, position }: { id: string; position: number }): Notice {
  const userId = event.actor?.userId ?? '';
  const value = create(ReceiptRecordedSchema, { type: ReceiptType.READ, userId, messageId: id, position });
  return {
    type: 'Receipt.created',
    event: { ...event, id: derivedId(event.id, id), body: { case: 'receiptRecorded', value } },
  };
}
