import type { Message, StoredConversation } from './records.ts';

/** The part of a conversation on which its unread count depends. */
export type Counted = Pick<StoredConversation, 'unread_message_count' | 'last_message' | 'window'>;

/** The number of unread messages after a position of a conversation; undefined if not all of its messages are here. */
export function countUnreadAfter(
  { window, last_message: last }: Counted,
  list: readonly Message[] | undefined,
  position: number,
): number | undefined {
  if ((last?.position ?? 0) <= position) return 0;
  if (!list || !window || window.stale || window.from > position + 1) return undefined;
  return list.filter((one) => one.position > position && one.is_unread).length;
}
