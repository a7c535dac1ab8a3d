import { create } from '@parley/codec';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { HeadSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';

/** Ranges of change numbers, by conversation, whose live events were missed. */
export type MissedRanges = {
  note(event: Event): void;
  /** One head for each conversation, with its first and last change. */
  list(): { appId: string; head: Head }[];
};

/**
 * A user's log lists changes in that user's view, so the events for all recipients are fetched from the conversation's log. All users' logs
 * are read first: a change before the first head that is passed on would not be delivered.
 */
export function createMissedRanges(): MissedRanges {
  const ranges = new Map<string, { appId: string; head: Head }>();
  return {
    note({ appId, conversationId, seq }) {
      const key = `${appId}/${conversationId}`;
      const head = ranges.get(key)?.head ?? create(HeadSchema, { conversationId, firstSeq: seq, seq });
      head.firstSeq = Math.min(head.firstSeq, seq);
      head.seq = Math.max(head.seq, seq);
      ranges.set(key, { appId, head });
    },
    list: () => [...ranges.values()],
  };
}
