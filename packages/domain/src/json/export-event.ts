import type { Conversation as ConversationJson } from '@parley/contract/records/conversation';
import type { Message as MessageJson } from '@parley/contract/records/message';
import type { Reference } from '@parley/contract/records/reference';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { ExportEvent } from '../events/export-events.ts';
import { conversationJson, conversationReference } from './conversation.ts';
import { basicIdentityJson, type BasicIdentityJson } from './identity.ts';
import { messageJson, messageReference } from './message.ts';
import { isoTime } from './time.ts';
import type { View } from './view.ts';

export type ExportEventJson = {
  event: { id: string; type: ExportEvent; created_at: string };
  actor: BasicIdentityJson | null;
  message?: MessageJson | Reference | null;
  conversation?: ConversationJson | Reference | null;
};

/** One entry of `events` in the export.json of a scheduled export. SPEC completions 8 */
export function exportEventJson(view: View, type: ExportEvent, event: Event): ExportEventJson {
  return {
    event: { id: event.id, type, created_at: isoTime(event.createdAt) },
    actor: event.actor ? basicIdentityJson(view, event.actor) : null,
    ...subjectJson(view, event),
  };
}

function subjectJson(view: View, { body, conversationId }: Event) {
  switch (body.case) {
    case 'messageCreated':
    case 'messageDeleted': {
      const { message } = body.value;
      return { message: message ? messageJson(view, message) : null };
    }
    case 'receiptRecorded':
      return {
        message: messageReference(view, conversationId, body.value.messageId),
        conversation: conversationReference(view, conversationId),
      };
    case 'conversationCreated':
    case 'conversationUpdated':
    case 'conversationDeleted': {
      const { conversation } = body.value;
      return { conversation: conversation ? conversationJson(view, conversation) : null };
    }
    default:
      return {};
  }
}
