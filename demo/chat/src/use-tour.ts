import { useEffect, useRef, useState } from 'react';
import { welcome } from './backend.ts';
import type { ChatUser } from './chat-user.ts';
import { openTogether, runTour, STEPS, until } from './tour.ts';

export type Tour = {
  /** Number of the step that is shown; 0 if the tour does not run. */
  readonly step: number;
  readonly of: number;
  start(): void;
  next(): void;
};

/** A step goes on by itself after so long, unless the visitor has gone on before. */
const READ_MS = 12_000;

/** The tour of the first two users, which begins by itself at the first visit; undefined where there is only one. */
export function useTour([one, other]: readonly ChatUser[], say: (text: string) => void): Tour | undefined {
  const [step, setStep] = useState(0);
  const next = useRef<() => void>(undefined);
  function start(): void {
    if (!one || !other) return;
    let at = 0;
    runTour(one, other, async (text, happen) => {
      setStep(++at);
      say(text);
      const seen = new Promise<void>((resolve) => (next.current = resolve));
      await happen();
      await (at < STEPS ? Promise.race([seen, pause(READ_MS)]) : seen);
    })
      .then(
        () => say(''),
        (error: unknown) => say(String(error)),
      )
      .finally(() => setStep(0));
  }
  useEffect(() => {
    if (!one || !other) return;
    void isFirstVisit([one, other]).then(async (isFirst) => {
      if (!isFirst) return;
      // First, so that the windows have their place before the list fills.
      await openTogether(one, other);
      await welcome(one.id, other.id).catch((error: unknown) => say(String(error)));
      start();
    });
    // At the first rendering alone.
  }, []);
  return other && { step, of: STEPS, start, next: () => next.current?.() };
}

async function isFirstVisit(users: readonly ChatUser[]): Promise<boolean> {
  for (const user of users) {
    await until(user.client.connection, ({ status }) => status === 'online');
    const { items } = await until(user.client.conversations(), ({ status }) => status === 'ready');
    if (items.length > 0) return false;
  }
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
