import { useConnection, useConversations, useUnreadCount } from '@parley/react';
import { useEffect, useState } from 'react';
import { countCame, goAway, noteUnread, type Away } from './away.ts';

/** The number of messages that came while the device was offline, or the page was closed: what is unread, compared with before. */
export function useMissed(): [count: number, dismiss: () => void] {
  const { status } = useConnection();
  const { status: known } = useConversations();
  const { messages } = useUnreadCount();
  const [away, setAway] = useState<Away>();
  const [missed, setMissed] = useState(0);
  useEffect(() => {
    if (!away) {
      if (status !== 'online' && known !== 'loading') setAway(goAway(messages));
      return;
    }
    const now = noteUnread(away, messages);
    if (now !== away) setAway(now);
    else if (status === 'online') {
      setMissed((before) => countCame(now) || before);
      setAway(undefined);
    }
  }, [status, known, messages, away]);
  return [missed, () => setMissed(0)];
}
