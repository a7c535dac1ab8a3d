import { create } from '@parley/codec';
import { bulkReceiptOf, spansAfter, type BulkReceipt } from '@parley/domain/events/bulk-receipt';
import { changeBodies } from '@parley/domain/json/change';
import { conversationReference } from '@parley/domain/json/conversation';
import { basicIdentityJson } from '@parley/domain/json/identity';
import { ReceiptRecordedSchema } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import { aboutConversation, changeFrame } from './about.ts';
import type { PacketSink } from './recipients.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** Sockets that get a receipt for each of their user's messages, by user. */
type Senders = Map<string, readonly PacketSink[]>;

/**
 * Mark all read or delivered: an operation packet for the other participants and the user's other sockets. A sender with messages that keep
 * their status gets a receipt for each changed message instead, and so do sockets of the first subprotocol for `delivered`.
 * docs/protocol/websocket.md#operations
 */
export function renderBulkReceipt(
  context: RenderContext,
  { event, recipients }: AddressedEvent,
): void | Promise<void> {
  const bulk = bulkReceiptOf(event);
  if (!bulk) return;
  const { userId, requestId, unmarkedSenderIds } = bulk;
  const body = operationBody(context, event, bulk);
  const unmarked = new Set(unmarkedSenderIds);
  const senders: Senders = new Map();
  for (const recipient of recipients) {
    // The requesting socket gets the response.
    const isOwn = recipient.userId === userId;
    const sockets = isOwn ? recipient.sockets.filter((one) => !hasAsked(one, requestId)) : recipient.sockets;
    const apart = unmarked.has(recipient.userId) ? sockets : sockets.filter((one) => !takes(one, bulk));
    for (const socket of sockets) if (!apart.includes(socket)) socket.push('operation', body);
    if (apart.length > 0 && !isOwn) senders.set(recipient.userId, apart);
    if (isOwn && event.body.case === 'allRead')
      context.updates.unreadIs(event, userId, event.body.value.unreadMessageCount);
  }
  if (senders.size > 0) return pushReceipts(context, { event, bulk }, senders);
}

function hasAsked(socket: PacketSink, requestId: string): boolean {
  return requestId !== '' && socket.ownRequests?.takeRequest(requestId) === true;
}

/** Whether a socket gets the operation: the first subprotocol has only the operation for reading. */
function takes({ isExtended }: PacketSink, { type }: BulkReceipt): boolean {
  return type === ReceiptType.READ || isExtended === true;
}

type BulkReceiptEvent = { event: AddressedEvent['event']; bulk: BulkReceipt };

function operationBody(
  { view }: RenderContext,
  event: AddressedEvent['event'],
  { type, position }: BulkReceipt,
): FrameBody {
  const appView = { ...view, appId: event.appId };
  const body = {
    method: type === ReceiptType.READ ? 'Conversation.mark_all_read' : 'Conversation.mark_all_delivered',
    object: { type: 'Conversation', ...conversationReference(appView, event.conversationId) },
    data: { position, identity: event.actor ? basicIdentityJson(appView, event.actor) : null },
  };
  return frameBody(body, aboutConversation(event.conversationId));
}

const PAGE_SIZE = 500;

/** One look-up for all senders, however many are connected. */
async function pushReceipts(
  context: RenderContext,
  { event, bulk }: BulkReceiptEvent,
  senders: Senders,
): Promise<void> {
  const { appId, conversationId } = event;
  const [only] = senders.size === 1 ? senders.keys() : [];
  let positions = [...bulk.spans];
  while (positions.length > 0) {
    const query = { appId, conversationId, positions, pageSize: PAGE_SIZE, senderId: only ?? '' };
    const { items } = await context.messaging.listMessageIds(query);
    for (const { id, position, senderId } of items) {
      const sockets = senders.get(only ?? senderId);
      if (sockets) pushReceipt(context, { event, bulk, message: { messageId: id, position } }, sockets);
    }
    for (const socket of [...senders.values()].flat()) await socket.untilRead?.();
    const last = items.at(-1);
    if (!last || items.length < PAGE_SIZE) return;
    positions = spansAfter(positions, last.position);
  }
}

type ReceiptOfMessage = BulkReceiptEvent & { message: { messageId: string; position: number } };

function pushReceipt(
  { view }: RenderContext,
  { event, bulk: { type, userId }, message }: ReceiptOfMessage,
  sockets: readonly PacketSink[],
): void {
  const value = create(ReceiptRecordedSchema, { type, userId, ...message });
  const receipt = { ...event, body: { case: 'receiptRecorded' as const, value } };
  for (const change of changeBodies({ ...view, appId: event.appId }, receipt)) {
    const body = changeFrame(event, change);
    for (const socket of sockets) socket.push('change', body);
  }
}
