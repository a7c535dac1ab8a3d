import type { Client } from '@connectrpc/connect';
import type { View } from '@parley/domain/json/view';
import type { RecipientStatuses } from '@parley/domain/receipts';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Audience, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Recipient } from './recipients.ts';
import type { AnnouncementCache } from './announcement-cache.ts';
import type { UpdateSink } from '../updates/conversation-updates.ts';
import { renderAllRead } from './all-read.ts';
import { renderAnnouncement } from './announcement.ts';
import { renderConversationGone, renderConversationUpdated } from './conversation.ts';
import { renderMessageCreated } from './message-created.ts';
import { renderPartsChanged } from './parts.ts';
import { renderPlain } from './plain.ts';
import { renderMessageDeleted, renderMessageHidden, renderReceipt } from './reading.ts';

export type RenderContext = {
  /** Of a client, without a user. */
  view: View;
  messaging: Client<typeof MessagingService>;
  updates: UpdateSink;
  announcements: AnnouncementCache;
  /** Above this many members only the sender is named in the recipient_status of somebody else's new message. */
  maxStatusesInFrame: number;
};

/** An event with those who are told of it. */
export type AddressedEvent = {
  event: Event;
  audience: Audience | undefined;
  recipients: readonly Recipient[];
  /** Of a message that was not sent just now: what became of it. */
  statuses?: RecipientStatuses;
};

export type Renderer = (context: RenderContext, addressed: AddressedEvent) => void | Promise<void>;

/** Every kind of event that sockets are told of. */
export const RENDERERS: Partial<Record<NonNullable<Event['body']['case']>, Renderer>> = {
  conversationCreated: renderPlain,
  conversationUpdated: renderConversationUpdated,
  conversationDeleted: renderConversationGone,
  conversationHidden: renderConversationGone,
  messageCreated: renderMessageCreated,
  messageDeleted: renderMessageDeleted,
  messageHidden: renderMessageHidden,
  messagePartsChanged: renderPartsChanged,
  receiptRecorded: renderReceipt,
  allRead: renderAllRead,
  identityChanged: renderPlain,
  announcementReceived: renderAnnouncement,
  announcementReceiptRecorded: renderPlain,
  announcementDeleted: renderPlain,
};
