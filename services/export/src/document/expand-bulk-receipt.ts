import { readReceiptOf, spansAfter } from '@parley/domain/events/bulk-receipt';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';

const PAGE_SIZE = 1000;

/** Expands “mark all read” to a read receipt for each message of another sender, page by page. */
export async function* expandAllRead(
  { source }: Context,
  event: Event,
  signal: AbortSignal,
): AsyncGenerator<Event[]> {
  if (event.body.case !== 'allRead') return;
  const { userId, newlyRead } = event.body.value;
  const { appId, conversationId } = event;
  for (let after = 0; ;) {
    const positions = spansAfter(newlyRead, after);
    if (positions.length === 0) return;
    const request = { appId, conversationId, positions, pageSize: PAGE_SIZE };
    const { places } = await source.listMessagePlaces(request, { signal });
    yield places
      .filter(({ senderId }) => senderId !== userId)
      .map(({ id, position, senderId }) =>
        readReceiptOf(event, { userId, messageId: id, position, senderUserId: senderId }),
      );
    const last = places.at(-1);
    if (!last || places.length < PAGE_SIZE) return;
    after = last.position;
  }
}
