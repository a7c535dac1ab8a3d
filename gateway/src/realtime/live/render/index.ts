import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { renderAnnouncement } from './announcement.ts';
import { renderBulkReceipt } from './bulk-receipt.ts';
import { renderConversationGone, renderConversationUpdated, renderRelisted } from './conversation.ts';
import { renderIdentity } from './identity.ts';
import { renderMessageCreated } from './message-created.ts';
import { renderPlain } from './plain.ts';
import { renderReactions } from './reactions.ts';
import { renderMessageDeleted, renderMessageHidden, renderReceipt } from './reading.ts';
import type { Renderer } from './context.ts';

/** The renderers of all kinds of events that become packets. */
export const RENDERERS: Partial<Record<NonNullable<Event['body']['case']>, Renderer>> = {
  conversationCreated: renderPlain,
  conversationUpdated: renderConversationUpdated,
  conversationDeleted: renderConversationGone,
  conversationHidden: renderConversationGone,
  conversationRelisted: renderRelisted,
  restrictionChanged: renderPlain,
  messageCreated: renderMessageCreated,
  messageDeleted: renderMessageDeleted,
  messageHidden: renderMessageHidden,
  messagePartsChanged: renderPlain,
  messageUpdated: renderPlain,
  reactionsChanged: renderReactions,
  receiptRecorded: renderReceipt,
  allRead: renderBulkReceipt,
  allDelivered: renderBulkReceipt,
  identityChanged: renderIdentity,
  announcementReceived: renderAnnouncement,
  announcementReceiptRecorded: renderPlain,
  announcementDeleted: renderPlain,
};
