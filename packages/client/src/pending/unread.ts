import type { Records } from '../records/in-memory.ts';
import type { Message, StoredConversation } from '../records/records.ts';
import type { Operation } from '../records/operation.ts';
import { countUnreadAfter, type Counted } from '../records/unread.ts';

/** The unread count of a conversation including the user's pending actions; counts in packets may be older than those. */
export function unreadShown(
  records: Records,
  record: StoredConversation,
  lane: readonly Operation[],
): number {
  let count = record.unread_message_count;
  let allReadTo = 0;
  const read = new Set<string>();
  for (const { action, error } of lane) {
    if (error) continue;
    if (action.kind === 'markAllRead') allReadTo = Math.max(allReadTo, action.position);
    else if (action.kind === 'receipt' && action.type === 'read') read.add(action.message);
  }
  const unread = [...read].filter((id) => unreadMessage(records, record, id) !== undefined);
  count = Math.max(0, count - unread.length);
  if (allReadTo === 0) return count;
  const after = countUnreadAfter(record, records.lists.get(record.id), allReadTo) ?? unreadLast(record);
  const readAfter = unread.filter((id) => unreadMessage(records, record, id)!.position > allReadTo);
  return Math.min(count, Math.max(0, after - readAfter.length));
}

function unreadMessage(records: Records, record: Counted, id: string): Message | undefined {
  const last = record.last_message?.id === id ? record.last_message : undefined;
  const message = records.messages.get(id) ?? last;
  return message?.is_unread ? message : undefined;
}

/** At least the newest message, for a conversation whose messages are not in memory. */
function unreadLast({ last_message: last }: Counted): number {
  return Number(last?.is_unread ?? false);
}
