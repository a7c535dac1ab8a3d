import { receiptOfMessage, spansAfter, type BulkReceipt } from '@parley/domain/events/bulk-receipt';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';

const PAGE_SIZE = 1000;

/** Expands a bulk receipt to a receipt for each message of another sender, page by page. */
export async function* expandBulkReceipt(
  { source }: Context,
  { event, bulk }: { event: Event; bulk: BulkReceipt },
  signal: AbortSignal,
): AsyncGenerator<Event[]> {
  const { appId, conversationId } = event;
  for (let after = 0; ;) {
    const positions = spansAfter(bulk.spans, after);
    if (positions.length === 0) return;
    const request = { appId, conversationId, positions, pageSize: PAGE_SIZE };
    const { places } = await source.listMessagePlaces(request, { signal });
    yield places
      .filter(({ senderId }) => senderId !== bulk.userId)
      .map(({ id, position, senderId }) =>
        receiptOfMessage(event, bulk, { messageId: id, position, senderUserId: senderId }),
      );
    const last = places.at(-1);
    if (!last || places.length < PAGE_SIZE) return;
    after = last.position;
  }
}
