import { create } from '@parley/codec';
import { spansAfter, type PositionSpan } from '@parley/domain/events/bulk-receipt';
import { changeBodies } from '@parley/domain/json/change';
import { conversationReference } from '@parley/domain/json/conversation';
import { basicIdentityJson } from '@parley/domain/json/identity';
import { ReceiptRecordedSchema, type AllRead } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import { aboutConversation, changeFrame } from './about.ts';
import type { Recipient } from './recipients.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/**
 * Mark all read: an operation packet for the other participants, and for the reader's other sockets, which get the new unread
 * number as well. A sender some of whose messages stay unread gets a receipt for each message that was read instead.
 * docs/protocol/websocket.md#operations
 */
export function renderAllRead(
  context: RenderContext,
  { event, recipients }: AddressedEvent,
): void | Promise<void> {
  if (event.body.case !== 'allRead') return;
  const { value: allRead } = event.body;
  const { userId, unreadSenderIds } = allRead;
  const body = operationBody(context, event, allRead);
  const unreadSenders = new Set(unreadSenderIds);
  const sendersWithUnread: Recipient[] = [];
  for (const recipient of recipients) {
    if (recipient.userId === userId) pushToReader(context, { event, allRead }, { recipient, body });
    else if (unreadSenders.has(recipient.userId)) sendersWithUnread.push(recipient);
    else for (const socket of recipient.sockets) socket.push('operation', body);
  }
  if (sendersWithUnread.length > 0) return pushReceiptsToAll(context, { event, allRead }, sendersWithUnread);
}

type ReaderPacket = { recipient: Recipient; body: FrameBody };

/** Skips the requesting socket, which gets the response. */
function pushToReader(
  { updates }: RenderContext,
  { event, allRead }: AllReadEvent,
  { recipient: { userId, sockets }, body }: ReaderPacket,
): void {
  const { requestId, unreadMessageCount } = allRead;
  for (const socket of sockets) {
    const hasAsked = requestId !== '' && socket.ownRequests?.takeRequest(requestId) === true;
    if (!hasAsked) socket.push('operation', body);
  }
  updates.unreadIs(event, userId, unreadMessageCount);
}

function operationBody(
  { view }: RenderContext,
  event: AddressedEvent['event'],
  { position }: AllRead,
): FrameBody {
  const appView = { ...view, appId: event.appId };
  const body = {
    method: 'Conversation.mark_all_read',
    object: { type: 'Conversation', ...conversationReference(appView, event.conversationId) },
    data: { position, identity: event.actor ? basicIdentityJson(appView, event.actor) : null },
  };
  return frameBody(body, aboutConversation(event.conversationId));
}

type AllReadEvent = { event: AddressedEvent['event']; allRead: AllRead };

async function pushReceiptsToAll(
  context: RenderContext,
  allReadEvent: AllReadEvent,
  senders: Recipient[],
): Promise<void> {
  for (const recipient of senders) await pushReceipts(context, allReadEvent, recipient);
}

const PAGE_SIZE = 500;

async function pushReceipts(
  { view, messaging }: RenderContext,
  { event, allRead }: AllReadEvent,
  recipient: Recipient,
): Promise<void> {
  const { appId, conversationId } = event;
  let positions: PositionSpan[] = allRead.newlyRead;
  while (positions.length > 0) {
    const query = { appId, conversationId, positions, pageSize: PAGE_SIZE, senderId: recipient.userId };
    const { items } = await messaging.listMessageIds(query);
    for (const { id, position } of items) {
      const value = create(ReceiptRecordedSchema, {
        userId: allRead.userId,
        messageId: id,
        position,
        type: ReceiptType.READ,
      });
      const receipt = { ...event, body: { case: 'receiptRecorded' as const, value } };
      for (const body of changeBodies({ ...view, appId }, receipt).map((one) => changeFrame(event, one)))
        for (const socket of recipient.sockets) socket.push('change', body);
    }
    for (const socket of recipient.sockets) await socket.untilRead?.();
    const last = items.at(-1);
    if (!last || items.length < PAGE_SIZE) return;
    positions = spansAfter(positions, last.position);
  }
}
