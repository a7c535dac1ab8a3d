import type { Announcement, Conversation, Identity, Message } from '@parley/contract/gen/records';
import { hear } from '../../pending/confirmed-by-packet.ts';
import { laneOf } from '../../records/operation.ts';
import { countUnreadAfter } from '../../pending/unread.ts';
import type { Draft } from '../../records/write-batch.ts';
import type { Change, Packet, Step } from '../../records/records.ts';
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

/** What has to be in memory before changes are applied: messages by id, and all messages of some conversations. */
export function neededFor(changes: readonly Change[]): { messages: Set<string>; conversations: Set<string> } {
  const messages = new Set<string>();
  const conversations = new Set<string>();
  for (const change of changes) {
    const { object } = change;
    if ('method' in change) conversations.add(object.id);
    else if (object.type === 'MessagePart') messages.add(messageOfPart(object.id));
    else if (object.type === 'Message' && change.operation !== 'create') messages.add(object.id);
    else if (object.type === 'Conversation' && Array.isArray(change.data)) {
      for (const { property, id } of change.data as Step[])
        if (property === 'last_message' && id) messages.add(id);
    }
  }
  return { messages, conversations };
}

/** Applies one change. `me` is the URI of the user's identity. Unknown types and operations are ignored, as the protocol asks. */
export function applyChange(draft: Draft, packet: Packet, me: string): void {
  applyKind(draft, packet, me);
  hear(draft, packet.change, me);
}

function applyKind(draft: Draft, { change, timestamp }: Packet, me: string): void {
  if ('method' in change) {
    if (change.method === 'Conversation.mark_all_read') applyAllRead(draft, change, me);
    return;
  }
  const { type } = change.object;
  if (type === 'Conversation') applyToConversation(draft, change, me);
  else if (type === 'Message') applyToMessage(draft, change, me);
  else if (type === 'MessagePart') applyToPart(draft, change);
  else if (type === 'Announcement') applyAnnouncementChange(draft, change, me);
  else if (type === 'Identity') applyIdentityChange(draft, change, timestamp);
}

type ObjectChange = Exclude<Change, { method: string }>;

function applyToConversation(draft: Draft, change: ObjectChange, me: string): void {
  const { id } = change.object;
  if (change.operation === 'create') {
    applyConversationCreated(draft, change.data as Conversation);
    settle(draft, id);
  } else if (change.operation === 'update') applyConversationUpdated(draft, id, change.data, me);
  else if (change.operation === 'delete') applyConversationDeleted(draft, id, change.data);
}

function applyToMessage(draft: Draft, change: ObjectChange, me: string): void {
  const { id } = change.object;
  if (change.operation === 'create') {
    const message = change.data as Message;
    applyMessageCreated(draft, message);
    settle(draft, id, message);
  } else if (change.operation === 'update') {
    const wasUnread = draft.message(id)?.is_unread;
    changeMessage(draft, id, (message) => messageAfter(message, change.data, me));
    if (wasUnread && !draft.message(id)?.is_unread) countRead(draft, id);
  } else if (change.operation === 'delete')
    applyMessageDeleted(draft, id, { isForAll: change.data.mode === 'all_participants' });
}

/** A message that was read comes with its count, as a new one does; the packet that states the count follows. */
function countRead(draft: Draft, id: string): void {
  const conversation = draft.conversation(draft.message(id)?.conversation.id ?? '');
  if (!conversation) return;
  const unread_message_count = Math.max(0, conversation.unread_message_count - 1);
  draft.putConversation({ ...conversation, unread_message_count });
}

function applyToPart(draft: Draft, { operation, object, data }: ObjectChange): void {
  if (operation !== 'update') return;
  changeMessage(draft, messageOfPart(object.id), (message) => messageWithPart(message, object.id, data));
}

/** The platform has what an operation creates: nothing is left to do. */
export function settle(draft: Draft, id: string, message?: Message): void {
  const operation = draft.operation(id);
  const kind = operation?.action.kind;
  if (!operation || (kind !== 'send' && kind !== 'createConversation')) return;
  if (message && laneOf(operation) !== message.conversation.id) return;
  draft.removeOperation(id);
  draft.settled.push({ operation, ...(message && { message }) });
}

type AllRead = Extract<Change, { method: string }>;

function applyAllRead(draft: Draft, { object, data: { position, identity } }: AllRead, me: string): void {
  if (!identity) return;
  const change = (message: Message): Message =>
    message.position <= position && message.recipient_status[identity.id] !== undefined
      ? withStatus(message, { reader: identity.id, status: 'read', me })
      : message;
  for (const message of draft.messagesOf(object.id)) {
    const changed = change(message);
    if (changed !== message) draft.putMessage(changed);
  }
  const conversation = draft.conversation(object.id);
  if (!conversation) return;
  const { last_message: last, unread_message_count: before } = conversation;
  const after =
    identity.id === me ? countUnreadAfter(conversation, draft.messagesOf(object.id), position) : before;
  draft.putConversation({
    ...conversation,
    last_message: last && change(last),
    unread_message_count: Math.min(before, after ?? before),
  });
}

export type { Announcement, Identity };
