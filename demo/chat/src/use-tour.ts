import { useEffect, useState } from 'react';
import type { ChatUser } from './chat-user.ts';
import { runTour, until } from './tour.ts';

export type Tour = { readonly isRunning: boolean; start(): void };

/** The tour of the first two users, which begins by itself at the first visit; undefined where there is only one. */
export function useTour([one, other]: readonly ChatUser[], say: (text: string) => void): Tour | undefined {
  const [isRunning, setRunning] = useState(false);
  function start(): void {
    if (!one || !other) return;
    setRunning(true);
    runTour(one, other, say)
      .catch((error: unknown) => say(String(error)))
      .finally(() => setRunning(false));
  }
  useEffect(() => {
    void isFirstVisit([one, other]).then((isFirst) => isFirst && start());
    // At the first rendering alone.
  }, []);
  return other && { isRunning, start };
}

async function isFirstVisit(users: readonly (ChatUser | undefined)[]): Promise<boolean> {
  for (const user of users) {
    if (!user) return false;
    await until(user.client.connection, ({ status }) => status === 'online');
    const { items } = await until(user.client.conversations(), ({ status }) => status === 'ready');
    if (items.length > 0) return false;
  }
  return true;
}
