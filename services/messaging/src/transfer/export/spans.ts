import type { CutChunk } from '../../sql/transfer/export-cut.ts';
import type { MessageRange } from '../../sql/transfer/export-message.ts';

/**
 * Divides a chunk's messages into reads of at most `most` positions: many small conversations are read together, a
 * large one in several reads.
 */
export function* spansOf({ conversation_ids, heads }: CutChunk, most: number): Generator<MessageRange[]> {
  let read: MessageRange[] = [];
  let room = most;
  for (const [index, conversation_id] of conversation_ids.entries()) {
    const head = heads[index] ?? 0;
    for (let first = 1; first <= head;) {
      const last = Math.min(head, first + room - 1);
      read.push({ conversationId: conversation_id, first, last });
      room -= last - first + 1;
      first = last + 1;
      if (room > 0) continue;
      yield read;
      read = [];
      room = most;
    }
  }
  if (read.length > 0) yield read;
}
