import { create } from '@bufbuild/protobuf';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { HeadSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';

/** Which changes of which conversations happened unheard. */
export type MissedRanges = {
  note(event: Event): void;
  /** One of each conversation: its first and its last change. */
  list(): { appId: string; head: Head }[];
};

/**
 * A user's log says what happened, but shows it as that user sees it: what is told to all has to be asked of the
 * conversation. Noted of all users first, since what comes before a conversation's first head is not told.
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
