import type { WriteBatch } from '../../records/write-batch.ts';
import { creates, type Change, type Message, type Packet } from '../../records/records.ts';
import { countUnreadAfter } from '../../records/unread.ts';
import { applyAnnouncementChange } from './announcement.ts';
import {
  applyConversationCreated,
  applyConversationDeleted,
  applyConversationUpdated,
} from './conversation.ts';
import { applyIdentityChange } from './identity.ts';
import {
  applyMessageCreated,
  applyMessageDeleted,
  changeMessage,
  messageAfter,
  messageWithPart,
  withStatus,
} from './message.ts';

/** The URI of the message that a part belongs to. */
export function messageOfPart(partId: string): string {
  return partId.slice(0, partId.indexOf('/parts/'));
}

/** The records that have to be in memory before changes are applied: messages by id, and all messages of some conversations. */
export function neededFor(changes: readonly Change[]): { messages: Set<string>; conversations: Set<string> } {
  const messages = new Set<string>();
  const conversations = new Set<string>();
  for (const change of changes) {
    const { object } = change;
    if ('method' in change) conversations.add(object.id);
    else if (object.type === 'MessagePart') messages.add(messageOfPart(object.id));
    else if (object.type === 'Message' && change.operation !== 'create') messages.add(object.id);
    else if (object.type === 'Conversation' && change.operation === 'update' && Array.isArray(change.data)) {
      for (const { property, id } of change.data) if (property === 'last_message' && id) messages.add(id);
    }
  }
  return { messages, conversations };
}

/** Applies one change. `me` is the URI of the user's identity. Unknown types and operations are ignored, as the protocol asks. */
export function applyChange(batch: WriteBatch, { change, timestamp }: Packet, me: string): void {
  if ('method' in change) {
    const status = MARKS[change.method];
    if (status) applyMarked(batch, change, { status, me });
    return;
  }
  const { type } = change.object;
  if (type === 'Conversation') applyToConversation(batch, change, me);
  else if (type === 'Message') applyToMessage(batch, change, me);
  else if (type === 'MessagePart') applyToPart(batch, change);
  else if (type === 'Announcement') applyAnnouncementChange(batch, change, me);
  else if (type === 'Identity') applyIdentityChange(batch, change, timestamp);
}

type ObjectChange = Exclude<Change, { method: string }>;

function applyToConversation(batch: WriteBatch, change: ObjectChange, me: string): void {
  const { id } = change.object;
  if (creates(change, 'Conversation')) applyConversationCreated(batch, change.data);
  else if (change.operation === 'update') applyConversationUpdated(batch, id, change.data, me);
  else if (change.operation === 'delete') applyConversationDeleted(batch, id, change.data);
}

function applyToMessage(batch: WriteBatch, change: ObjectChange, me: string): void {
  const { id } = change.object;
  if (creates(change, 'Message')) applyMessageCreated(batch, change.data);
  else if (change.operation === 'update') {
    const wasUnread = batch.message(id)?.is_unread;
    changeMessage(batch, id, (message) => messageAfter(message, change.data, me));
    if (wasUnread && !batch.message(id)?.is_unread) countRead(batch, id);
  } else if (change.operation === 'delete')
    applyMessageDeleted(batch, id, change.data.mode === 'all_participants');
}

/** A message that was read comes with its count, as a new one does; the packet that states the count follows. */
function countRead(batch: WriteBatch, id: string): void {
  const conversation = batch.conversation(batch.message(id)?.conversation.id ?? '');
  if (!conversation) return;
  const unread_message_count = Math.max(0, conversation.unread_message_count - 1);
  batch.putConversation({ ...conversation, unread_message_count });
}

function applyToPart(batch: WriteBatch, { operation, object, data }: ObjectChange): void {
  if (operation !== 'update') return;
  changeMessage(batch, messageOfPart(object.id), (message) => messageWithPart(message, object.id, data));
}

/** The status that an operation gives to all messages up to a position. Later releases may have other operations. */
const MARKS: Readonly<Record<string, 'read' | 'delivered'>> = {
  'Conversation.mark_all_read': 'read',
  'Conversation.mark_all_delivered': 'delivered',
};

type Mark = Extract<Change, { method: string }>;

function applyMarked(
  batch: WriteBatch,
  { object, data: { position, identity } }: Mark,
  { status, me }: { status: 'read' | 'delivered'; me: string },
): void {
  if (!identity) return;
  const isOwnReading = status === 'read' && identity.id === me;
  const change = (message: Message): Message => {
    if (message.position > position) return message;
    if (message.recipient_status[identity.id] !== undefined)
      return withStatus(message, { reader: identity.id, status, me });
    // A type without receipts leaves the reader's own status out of the message.
    return isOwnReading && message.is_unread ? { ...message, is_unread: false } : message;
  };
  for (const message of batch.messagesOf(object.id)) {
    const changed = change(message);
    if (changed !== message) batch.putMessage(changed);
  }
  const conversation = batch.conversation(object.id);
  if (!conversation) return;
  const { last_message: last, unread_message_count: before } = conversation;
  const unread = isOwnReading
    ? countUnreadAfter(conversation, batch.messagesOf(object.id), position)
    : before;
  const after = Math.min(before, unread ?? before);
  const lastAfter = last && change(last);
  // Many operations of a group change nothing here, and then cost no write, and no other tab anything.
  if (lastAfter === last && after === before) return;
  batch.putConversation({ ...conversation, last_message: lastAfter, unread_message_count: after });
}
