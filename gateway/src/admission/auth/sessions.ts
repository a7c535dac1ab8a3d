import type { Clock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { createConfirmation } from './confirmation.ts';
import type { Revocations } from './revocations.ts';
import { sessionIdsOf } from './revoked.ts';
import type { Tokens } from './tokens.ts';
import { createVerification } from './verification.ts';
import { createWatch, type IsRevoked, type RevocationListener, type SessionCaller } from './watch.ts';

export type Sessions = {
  /** Watches a session while its socket is being opened and has no listener yet. */
  watch(caller: SessionCaller): void;
  /** Whether a session has ended since `watch` was called, at most a few seconds ago. */
  hasEnded(caller: SessionCaller): boolean;
  onRevoked(listener: RevocationListener): () => void;
  /**
   * Returns undefined if the sessions of all open sockets may act. Otherwise no revocations were heard of for a second, and the returned
   * promise resolves when all until now are known and applied. Callers who ask meanwhile share the promise, so they continue in their
   * order. Problems: service_unavailable.
   */
  confirm(): Promise<void> | undefined;
  /** Registers a listener that is called when no revocations could be fetched for 30 s. */
  onBlind(listener: () => void): () => void;
  stop(): void;
};

type LookUp = Pick<Tokens, 'lookUp'>;
type Options = { tokens: LookUp; revocations: Revocations; clock: Clock; log: Logger };

/** A socket closes within a second after the end of its session. */
const SWEEP_EVERY_MS = 500;
/** Minimum number of sweeps for which a session is watched while its socket is being opened. */
const WATCHED_SWEEPS = 10;
/** All sockets are closed when identity has not reported ended sessions for this long. */
const MAX_BLIND_MS = 30_000;

/** Notifies listeners of ended sessions: at once if a revocation names the session, otherwise after asking identity. */
export function createSessions({ tokens, revocations, clock, log }: Options): Sessions {
  const watch = createWatch();
  const listeners = new Set([watch.listener]);
  const blindListeners = new Set<() => void>();
  let cancelSweep = (): void => undefined;
  let sweeps = 0;

  function notify(isRevoked: IsRevoked): void {
    for (const listener of listeners) listener(isRevoked);
  }

  function sweep(): void {
    const now = clock.now();
    notify(({ expiresAt }) => expiresAt > 0 && expiresAt <= now);
    if (revocations.blindMs() > MAX_BLIND_MS) for (const listener of blindListeners) listener();
    if (sweeps++ % WATCHED_SWEEPS === 0) watch.forgetOlder();
    cancelSweep = clock.setTimer(SWEEP_EVERY_MS, sweep);
  }
  sweep();

  const verification = createVerification({ tokens, notify, clock, log });
  const forget = revocations.onRevoked((revoked) => {
    const ids = sessionIdsOf(revoked);
    if (ids.size > 0) notify(({ sessionId }) => ids.has(sessionId));
    verification.add(revoked);
  });

  return {
    watch: (caller) => watch.add(caller),
    hasEnded: (caller) => watch.hasEnded(caller),
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    confirm: createConfirmation({ revocations, verified: verification.verified }),
    onBlind(listener) {
      blindListeners.add(listener);
      return () => void blindListeners.delete(listener);
    },
    stop() {
      forget();
      listeners.clear();
      blindListeners.clear();
      cancelSweep();
      verification.stop();
    },
  };
}
