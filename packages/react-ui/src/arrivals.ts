import type { Message } from '@parley/client';
import { useEffect, useRef, useState } from 'react';

/** Messages that have come since the list was opened. */
export type Arrivals = {
  /** URI of the message above which the line "new messages" stands. */
  readonly lineAbove: string | undefined;
  /** Number of messages of other users below that have not been in sight. */
  readonly unseen: number;
  /** The newest ones, for screen readers. */
  readonly latest: readonly Message[];
};

const NOTHING: Arrivals = Object.freeze({ lineAbove: undefined, unseen: 0, latest: Object.freeze([]) });
/** So many are read out at most. */
const LATEST = 3;

type Options = {
  /** Whether the list begins with the first message. */
  readonly hasOlder: boolean;
  /** Whether the newest message is in sight. */
  readonly isSeen: boolean;
};

/**
 * Notices what comes at the end of a list, and where the unread messages begin when it is opened. The line stays until the user
 * writes or opens the list again.
 */
export function useArrivals(items: readonly Message[], { hasOlder, isSeen }: Options): Arrivals {
  const [arrivals, setArrivals] = useState<Arrivals>();
  const known = useRef<string | undefined>(undefined);
  if (arrivals === undefined && items.length > 0) setArrivals(lineOf(items, hasOlder));
  useEffect(() => {
    const last = items.at(-1)?.id;
    const before = known.current;
    known.current = last;
    if (last === undefined || before === undefined || last === before) return;
    const added = after(items, before);
    if (added.length > 0) setArrivals((now = NOTHING) => withAdded(now, added, isSeen));
    // The effect below counts them as seen when `isSeen` changes.
  }, [items]);
  useEffect(() => {
    if (isSeen) setArrivals((now) => (now && now.unseen > 0 ? { ...now, unseen: 0 } : now));
  }, [isSeen]);
  return arrivals ?? NOTHING;
}

function lineOf(items: readonly Message[], hasOlder: boolean): Arrivals {
  const first = items.findIndex(({ isUnread, isOwn }) => isUnread && !isOwn);
  // If all loaded messages are unread, an older one may be the first unread one.
  const isKnown = first > 0 || (first === 0 && !hasOlder);
  return isKnown ? { ...NOTHING, lineAbove: items[first]?.id } : NOTHING;
}

/** The messages behind one; none if it is gone. */
function after(items: readonly Message[], id: string): readonly Message[] {
  for (let index = items.length - 1; index >= 0; index--)
    if (items[index]?.id === id) return items.slice(index + 1);
  return [];
}

function withAdded(now: Arrivals, added: readonly Message[], isSeen: boolean): Arrivals {
  const isWriting = added.some(({ isOwn }) => isOwn);
  const others = added.filter(({ isOwn }) => !isOwn);
  if (isWriting) return { lineAbove: undefined, unseen: 0, latest: others.slice(-LATEST) };
  const isLineThere = now.lineAbove !== undefined && (isSeen || now.unseen > 0);
  return {
    lineAbove: isSeen || isLineThere ? now.lineAbove : others[0]?.id,
    unseen: isSeen ? 0 : now.unseen + others.length,
    latest: others.slice(-LATEST),
  };
}
