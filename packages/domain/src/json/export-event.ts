import type { ExportEvent as ExportEventRecord } from '@parley/contract/records/export-event';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { ExportEvent } from '../events/export-events.ts';
import { conversationJson, conversationReference } from './conversation.ts';
import { basicIdentityJson } from './identity.ts';
import { messageJson, messageReference } from './message.ts';
import { restrictionSubject } from './webhook-body.ts';
import { settledPushJson } from './push.ts';
import { changedReactionJson } from './reaction-record.ts';
import { isoTime } from './time.ts';
import type { View } from './view.ts';

type HeadName = 'event' | 'actor';
type Subject = WithoutHead<ExportEventRecord>;
type WithoutHead<E> = E extends unknown ? Omit<E, HeadName> : never;

export type ExportEventJson = Pick<ExportEventRecord, HeadName> & Subject;

/**
 * One entry of `events` in the export.json of a scheduled export. Fails with a TypeError for an event that is never exported.
 * docs/protocol/exports.md#scheduled-archives
 */
export function exportEventJson(view: View, type: ExportEvent, event: Event): ExportEventJson {
  return {
    event: { id: event.id, type, created_at: isoTime(event.createdAt) },
    actor: event.actor ? basicIdentityJson(view, event.actor) : null,
    ...subjectJson(view, event),
  };
}

function subjectJson(view: View, { id, body, conversationId }: Event): Subject {
  switch (body.case) {
    case 'messageCreated':
    case 'messageUpdated':
    case 'messagePartsChanged':
    case 'messageDeleted': {
      const { message } = body.value;
      if (!message) throw new TypeError('an event of a message without the message');
      return { message: messageJson(view, message) };
    }
    case 'reactionsChanged':
      return changedReactionJson(view, conversationId, body.value);
    case 'receiptRecorded':
      return {
        message: messageReference(view, conversationId, body.value.messageId),
        conversation: conversationReference(view, conversationId),
      };
    case 'conversationCreated':
    case 'conversationUpdated':
    case 'conversationDeleted': {
      const { conversation } = body.value;
      if (!conversation) throw new TypeError('an event of a conversation without the conversation');
      return { conversation: conversationJson(view, conversation) };
    }
    case 'restrictionChanged':
      return restrictionSubject(view, conversationId, body.value);
    case 'pushSettled':
      return settledPushJson(view, id, body.value);
    default:
      throw new TypeError(`no export holds the event ${body.case ?? 'without a body'}`);
  }
}
