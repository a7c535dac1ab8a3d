import type { Uses } from '../context.ts';
import type { Hub } from '../connection/hub.ts';

const MINUTE_MS = 60_000;
/** Timers may fire slightly early, but the sample belongs to the minute that begins. Milliseconds. */
const AFTER_MS = 5;

/** Counts the open sockets and their users at the start of each minute. The result stops this. */
export function startSocketSamples({ clock, figures }: Uses<'clock' | 'figures'>, hub: Hub): () => void {
  let cancel = schedule();

  function schedule(): () => void {
    return clock.setTimer(MINUTE_MS - (clock.now() % MINUTE_MS) + AFTER_MS, () => {
      cancel = schedule();
      for (const { caller } of hub.all()) {
        figures.add(caller.appId, 'sockets');
        figures.active(caller.appId, caller.userId);
      }
    });
  }

  return () => cancel();
}
