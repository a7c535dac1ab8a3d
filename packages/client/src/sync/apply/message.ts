import type { MessagePart, RecipientStatus } from '@parley/contract/gen/records';
import type { WriteBatch } from '../../records/write-batch.ts';
import type { Message, Step, StoredConversation } from '../../records/records.ts';
import { keysOf, withValueAt } from '../../records/paths.ts';
import { withoutEmpty } from '../../records/reactions.ts';

const RANKS: Readonly<Record<string, number>> = { sent: 0, delivered: 1, read: 2 };

/**
 * `create Message`: the newest one, or one that is here already, with its present values. It comes with its count, unless a packet
 * counted it before: each counts all messages up to the one that it names.
 */
export function applyMessageCreated(batch: WriteBatch, message: Message): void {
  const { id } = message;
  const { id: conversationId } = message.conversation;
  const conversation = batch.conversation(conversationId);
  if (!conversation) {
    batch.toRefetch.set(conversationId, conversationId);
    return;
  }
  const { position, is_unread: isUnread } = message;
  const window = conversation.window ?? { from: position, start: position === 1, stale: false };
  if (position >= window.from) batch.putMessage(message);
  const { last_message_id: named } = conversation;
  const isCounted = isAwaited(conversation);
  const isNew = isUnread && position > conversation.counted_to;
  const { last_message: last } = conversation;
  const newest = position >= (last?.position ?? 0) ? message : last;
  batch.putConversation({
    ...conversation,
    window,
    last_message: newest,
    last_message_id: isCounted && named !== id ? named : (newest?.id ?? null),
    ...(isNew && {
      counted_to: position,
      unread_message_count: conversation.unread_message_count + (isCounted ? 0 : 1),
    }),
    ...activeBy(conversation, message),
  });
}

/** The time and the message by which a conversation is sorted once it has a message. */
export function activeBy(
  { active_at, active_id }: StoredConversation,
  { sent_at, id }: Pick<Message, 'sent_at' | 'id'>,
): Pick<StoredConversation, 'active_at' | 'active_id'> {
  return sent_at > active_at ? { active_at: sent_at, active_id: id } : { active_at, active_id };
}

/** Whether a packet named, and counted, a newest message that has not come yet; not an older one that is not on the device. */
function isAwaited({ last_message: last, last_message_id: named, window }: StoredConversation): boolean {
  return named !== null && named !== last?.id && (last !== null || window?.start === true);
}

/** Changes a message wherever it is kept. */
export function changeMessage(batch: WriteBatch, id: string, change: (message: Message) => Message): void {
  const message = batch.message(id);
  if (message) {
    const changed = change(message);
    if (changed !== message) batch.putMessage(changed);
  }
  const conversation = message && batch.conversation(message.conversation.id);
  const last = conversation?.last_message;
  if (conversation && last?.id === id) batch.putConversation({ ...conversation, last_message: change(last) });
}

/** The message after the steps of an `update Message`. `me` is the URI of the user's identity. */
export function messageAfter(message: Message, steps: readonly Step[], me: string): Message {
  let changed = message;
  for (const { operation, property, id, value } of steps) {
    const [root, key] = keysOf(property);
    if (root === 'recipient_status' && key !== undefined)
      changed = withStatus(changed, { reader: key, status: value as RecipientStatus, me });
    else if (property === 'parts' && operation === 'add')
      changed = { ...changed, parts: withPart(changed.parts, value as MessagePart) };
    else if (property === 'parts' && operation === 'remove')
      changed = { ...changed, parts: changed.parts.filter((part) => part.id !== id) };
    else if (root === 'metadata' || root === 'reactions')
      changed = withoutEmpty(
        withValueAt(changed, keysOf(property), operation === 'delete' ? undefined : value),
      );
  }
  return changed;
}

/** Never less than it was: a replay brings older statuses again. */
export function withStatus(
  message: Message,
  { reader, status, me }: { reader: string; status: RecipientStatus; me: string },
): Message {
  const before = message.recipient_status[reader];
  if (before !== undefined && (RANKS[status] ?? 0) <= (RANKS[before] ?? 0)) return message;
  const isRead = reader === me && status === 'read';
  return {
    ...message,
    recipient_status: { ...message.recipient_status, [reader]: status },
    ...(isRead && { is_unread: false }),
  };
}

function withPart(parts: readonly MessagePart[], part: MessagePart): MessagePart[] {
  const isThere = parts.some(({ id }) => id === part.id);
  return isThere ? parts.map((one) => (one.id === part.id ? part : one)) : [...parts, part];
}

/** The message after the steps of an `update MessagePart`. */
export function messageWithPart(message: Message, partId: string, steps: readonly Step[]): Message {
  const parts = message.parts.map((part) => {
    if (part.id !== partId) return part;
    return steps.reduce<MessagePart>((one, { property, value }) => ({ ...one, [property]: value }), part);
  });
  return { ...message, parts };
}

/**
 * A message is gone for the user. The newest one of the conversation follows in a packet. One that is gone for all orders the
 * conversation no more; one that the user hides still does.
 */
export function applyMessageDeleted(batch: WriteBatch, id: string, isForAll: boolean): void {
  const conversation = batch.conversation(batch.message(id)?.conversation.id ?? '');
  batch.removeMessage(id);
  if (!conversation) return;
  const isLast = conversation.last_message?.id === id;
  // A replay may have shown the conversation without the message before.
  const isOrderedByIt = isForAll && conversation.active_id === id;
  if (!isLast && !isOrderedByIt) return;
  const newest = isLast ? newestOf(batch.messagesOf(conversation.id)) : conversation.last_message;
  const active = { active_at: newest?.sent_at ?? conversation.created_at, active_id: newest?.id ?? null };
  batch.putConversation({
    ...conversation,
    last_message: newest,
    ...(isLast && { last_message_id: newest?.id ?? null }),
    ...(isOrderedByIt && active),
  });
}

function newestOf(messages: readonly Message[]): Message | null {
  return messages.reduce<Message | null>(
    (best, one) => (one.position > (best?.position ?? 0) ? one : best),
    null,
  );
}
