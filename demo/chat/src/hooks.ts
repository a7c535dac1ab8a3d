import type { Conversation, List, Query } from '@parley/client';
import { useClient, useConnection, useConversations, useUnreadCount } from '@parley/react';
import { useEffect, useMemo, useState, useSyncExternalStore, type RefObject } from 'react';
import { countCame, goAway, noteUnread, type Away } from './away.ts';

const NOTHING: List<never> = Object.freeze({
  items: Object.freeze([]),
  status: 'loading',
  hasOlder: false,
  error: undefined,
});
function subscribeToNothing(): () => void {
  return () => undefined;
}

/** The present state of a list that has no hook of its own; `query` is the same one in each rendering. */
export function useList<T>(query: Query<List<T>> | undefined): List<T> {
  return useSyncExternalStore(query?.subscribe ?? subscribeToNothing, query?.getSnapshot ?? (() => NOTHING));
}

export function useAnnouncements() {
  const client = useClient();
  return useList(useMemo(() => client?.announcements(), [client]));
}

export function useUploads() {
  return useList(useClient()?.uploads);
}

/** Whether an element is on the screen of a window that is looked at. */
export function useOnScreen(ref: RefObject<HTMLElement | null>): boolean {
  const [isThere, setThere] = useState(false);
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setThere(entry?.isIntersecting ?? false));
    const changed = () => setVisible(document.visibilityState === 'visible');
    if (ref.current) observer.observe(ref.current);
    document.addEventListener('visibilitychange', changed);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', changed);
    };
  }, [ref]);
  return isThere && isVisible;
}

/** What came while the device slept, was offline, or the page was closed. */
export type Missed = {
  /** Number of messages. */
  readonly count: number;
  /** Server times of the newest message before, and of the newest one when the connection was back. */
  readonly since: string;
  readonly until: string;
};

/** Compares what is unread while the connection is lost with what was unread before. */
export function useMissed(): [Missed | undefined, dismiss: () => void] {
  const { status } = useConnection();
  const { items, status: known } = useConversations();
  const { messages } = useUnreadCount();
  const [away, setAway] = useState<{ unread: Away; since: string }>();
  const [missed, setMissed] = useState<Missed>();
  useEffect(() => {
    if (!away) {
      if (status === 'online' || known === 'loading') return;
      setAway({ unread: goAway(messages), since: newestTime(items) });
      return;
    }
    const { since } = away;
    const unread = noteUnread(away.unread, messages);
    if (unread !== away.unread) setAway({ unread, since });
    else if (status === 'online') {
      const count = countCame(unread);
      if (count > 0) setMissed({ count, since, until: newestTime(items) });
      setAway(undefined);
    }
  }, [status, known, items, messages, away]);
  return [missed, () => setMissed(undefined)];
}

function newestTime(conversations: readonly Conversation[]): string {
  const times = conversations.map(({ lastMessage }) => lastMessage?.sentAt ?? '');
  return times.sort().at(-1) ?? '';
}
