import { isWithheld } from '../events/withheld.ts';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { RecipientStatuses } from '../receipts.ts';
import { announcementChange } from './change/announcement.ts';
import { conversationChange } from './change/conversation.ts';
import { identityChange } from './change/identity.ts';
import { messageChange } from './change/message.ts';
import { partsChange } from './change/parts.ts';
import { reactionsChange } from './change/reactions.ts';
import { updatedChange } from './change/updated.ts';
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

/** Body of a change packet of a WebSocket. docs/protocol/websocket.md#changes */
export type ChangeBody =
  | { operation: 'create'; object: ChangeObject; data: object }
  | { operation: 'update'; object: ChangeObject; data: ChangeStep[] }
  | { operation: 'delete'; object: ChangeObject; data: object };

/** Additional data that the event does not contain. */
export type ChangeExtras = {
  /** Statuses of a new message's recipients, by user id. Default: only the sender's, who has read it. */
  statuses?: RecipientStatuses;
};

/** The changes that an event means for the receiving user, `view.userId`; none for an event that does not concern them. */
export function changeBodies(view: View, event: Event, extras: ChangeExtras = {}): ChangeBody[] {
  const { body } = event;
  if (view.userId !== undefined && isWithheld(event, view.userId)) return [];
  switch (body.case) {
    case 'conversationCreated':
    case 'conversationUpdated':
    case 'conversationDeleted':
    case 'conversationHidden':
    case 'conversationRelisted':
    case 'restrictionChanged':
      return conversationChange(view, event.conversationId, body);
    case 'messageCreated':
    case 'messageDeleted':
    case 'messageHidden':
    case 'receiptRecorded':
      return messageChange(view, event.conversationId, { body, statuses: extras.statuses });
    case 'messageUpdated':
      return updatedChange(view, event.conversationId, body.value);
    case 'reactionsChanged':
      return reactionsChange(view, event.conversationId, body.value);
    case 'messagePartsChanged':
      return partsChange(view, event.conversationId, body.value);
    case 'identityChanged':
      return identityChange(view, body.value);
    case 'announcementReceived':
    case 'announcementReceiptRecorded':
    case 'announcementDeleted':
      return announcementChange(view, body);
    // Events that are sent as operation packets, or to no client at all.
    case 'allRead':
    case 'allDelivered':
    case 'announcementCreated':
    case 'blockChanged':
    case 'userErased':
    case 'appDeleted':
    case 'sessionsEnded':
    case 'notificationRequested':
    case 'pushRequested':
    case 'pushSettled':
    case undefined:
      return [];
  }
}
