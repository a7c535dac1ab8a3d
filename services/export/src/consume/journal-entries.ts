import { toBinary } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { singleReactionsOf, type SingleReaction } from '@parley/domain/events/single-reactions';
import type { ExportEvent } from '@parley/domain/events/export-events';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { JournalEntry } from '../sql/journal.ts';

/** The journal's entries for an event; none when it concerns one user's devices only, or no messages at all. */
export function journalEntries(event: Event): JournalEntry[] {
  if (event.body.case === 'reactionsChanged') return singleReactionsOf(event).map(reactionEntry);
  const kinds = exportEventsOf(event.body);
  return kinds.map((kind) => ({
    kind,
    at: event.createdAt,
    event: toBinary(EventSchema, kinds.length > 1 ? { ...event, id: derivedId(event.id, kind) } : event),
  }));
}

function reactionEntry({ event, removed }: SingleReaction): JournalEntry {
  const kind = removed ? 'reaction.deleted' : 'reaction.created';
  return { kind, at: event.createdAt, event: toBinary(EventSchema, event) };
}

/** The kinds of export events that an event stands for. */
export function exportEventsOf(body: Event['body']): ExportEvent[] {
  switch (body.case) {
    case 'messageCreated':
      return ['message.sent'];
    case 'messageUpdated':
    case 'messagePartsChanged':
      return ['message.updated'];
    case 'reactionsChanged':
      return body.value.changes.length > 0 ? ['reaction.created'] : [];
    case 'messageDeleted':
      return ['message.deleted'];
    case 'receiptRecorded':
      if (body.value.ownOnly) return [];
      return [body.value.type === ReceiptType.READ ? 'message.read' : 'message.delivered'];
    case 'allRead':
      return body.value.ownOnly ? [] : ['message.read'];
    case 'allDelivered':
      return ['message.delivered'];
    case 'conversationCreated':
      return ['conversation.created'];
    case 'conversationDeleted':
      return ['conversation.deleted'];
    case 'conversationUpdated':
      return updateEventsOf(body.value.operations);
    case 'restrictionChanged':
      return [body.value.ended ? 'restriction.deleted' : 'restriction.created'];
    case 'pushSettled':
      return [body.value.delivered ? 'push.delivered' : 'push.failed'];
    default:
      return [];
  }
}

function updateEventsOf(operations: readonly PatchOperation[]): ExportEvent[] {
  const kinds = operations.map(({ step }): ExportEvent => {
    switch (step.case) {
      case 'setMetadata':
      case 'deleteMetadata':
        return 'conversation.updated.metadata';
      case 'setRole':
        return 'conversation.updated.roles';
      case 'setFrozen':
      case 'setSlowMode':
        return 'conversation.updated.settings';
      default:
        return 'conversation.updated.participants';
    }
  });
  return [...new Set(kinds)];
}
