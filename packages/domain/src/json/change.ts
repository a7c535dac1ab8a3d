import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { RecipientStatuses } from '../receipts.ts';
import { announcementChange } from './change/announcement.ts';
import { conversationChange, conversationState } from './change/conversation.ts';
import { identityChange } from './change/identity.ts';
import { messageChange } from './change/message.ts';
import { partsChange } from './change/parts.ts';
import type { View } from './view.ts';

export type ChangeObject = {
  type: 'Conversation' | 'Message' | 'MessagePart' | 'Announcement' | 'Identity';
  id: string;
  url: string;
};

export type ChangeStep = {
  operation: 'set' | 'delete' | 'add' | 'remove';
  property: string;
  id?: string | null;
  value?: unknown;
};

/** Body of a change packet of a WebSocket. SPEC completions 6 */
export type ChangeBody =
  | { operation: 'create'; object: ChangeObject; data: object }
  | { operation: 'update'; object: ChangeObject; data: ChangeStep[] }
  | { operation: 'delete'; object: ChangeObject; data: object };

/** What an event does not tell of the receiving user. */
export type ChangeExtras = {
  /** Of a new message, by user id. Default: the sender has read it, and nobody else is known. */
  statuses?: RecipientStatuses;
  /** The user's, afterwards. With it, the packets end with the conversation's update. */
  unreadMessageCount?: number;
  /** Bare uuid of the newest message that the user sees afterwards; null: none; absent: as before. */
  lastMessageId?: string | null;
};

/** What the receiving user, `view.userId`, is told of an event; nothing for events that are none of their business. */
export function changeBodies(view: View, event: Event, extras: ChangeExtras = {}): ChangeBody[] {
  const bodies = bodiesOf(view, event, extras);
  const state = conversationState(view, event.conversationId, extras);
  return state ? [...bodies, state] : bodies;
}

function bodiesOf(view: View, event: Event, extras: ChangeExtras): ChangeBody[] {
  const { body } = event;
  switch (body.case) {
    case 'conversationCreated':
    case 'conversationUpdated':
    case 'conversationDeleted':
    case 'conversationHidden':
      return conversationChange(view, event.conversationId, body);
    case 'messageCreated':
    case 'messageDeleted':
    case 'messageHidden':
    case 'receiptRecorded':
      return messageChange(view, event.conversationId, { body, statuses: extras.statuses });
    case 'messagePartsChanged':
      return partsChange(view, event.conversationId, body.value);
    case 'identityChanged':
      return identityChange(view, body.value);
    case 'announcementReceived':
    case 'announcementReceiptRecorded':
    case 'announcementDeleted':
      return announcementChange(view, body);
    // Told by an operation packet.
    case 'allRead':
    case 'announcementCreated':
    case 'blockChanged':
    case 'userErased':
    case 'appDeleted':
    case 'sessionsEnded':
    case 'notificationRequested':
    case 'pushRequested':
    case undefined:
      return [];
  }
}
