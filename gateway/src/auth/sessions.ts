import type { Clock } from '@parley/kit/clock';
import { fail } from '@parley/domain/problems';
import { detach } from '@parley/kit/request-context';
import type { Logger } from '@parley/kit/telemetry/log';
import { Caller_Kind } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { isAuthenticationProblem } from './problem.ts';
import type { Revocations } from './revocations.ts';
import { concernsUser, sessionIdsOf, type RevokedNow } from './revoked.ts';
import type { Tokens } from './tokens.ts';
import { createWatch, type IsRevoked, type RevocationListener, type SessionCaller } from './watch.ts';

export type Sessions = {
  /** Watches a session while its socket is being opened, which has no listener yet. */
  watch(caller: SessionCaller): void;
  /** Whether a session has ended since `watch` was called, at most a few seconds ago. */
  hasEnded(caller: SessionCaller): boolean;
  onRevoked(listener: RevocationListener): () => void;
  /**
   * Undefined: all sessions of open sockets may act. Otherwise nothing was heard of revocations for a second, and it resolves when what was
   * revoked until now is known and applied. The same promise is given to all who ask meanwhile, so they go on in their order.
   * Problems: service_unavailable.
   */
  confirm(): Promise<void> | undefined;
  /** Calls back when nothing has been heard of revocations for 30 s. */
  onBlind(listener: () => void): () => void;
  stop(): void;
};

type LookUp = Pick<Tokens, 'lookUp'>;
type Options = { tokens: LookUp; revocations: Revocations; clock: Clock; log: Logger };

/** A socket closes within a second after the end of its session. */
const SWEEP_EVERY_MS = 500;
/** Sweeps for which a session is watched at least while its socket is being opened. */
const WATCHED_SWEEPS = 10;
const VERIFY_AGAIN_MS = 1_000;
/** Sockets are closed after identity has not said for this long which sessions ended. */
const MAX_BLIND_MS = 30_000;

/** Notifies listeners of ended sessions: at once where a revocation names the session, and otherwise after identity has been asked. */
export function createSessions({ tokens, revocations, clock, log }: Options): Sessions {
  const watch = createWatch();
  const runDetached = detach();
  const listeners = new Set([watch.listener]);
  const blindListeners = new Set<() => void>();
  const timers = new Map<string, () => void>();
  let unverified: RevokedNow[] = [];
  let sweeps = 0;

  function notify(isRevoked: IsRevoked): void {
    for (const listener of listeners) listener(isRevoked);
  }

  function schedule(name: 'sweep' | 'verify', afterMs: number, work: () => void): void {
    timers.get(name)?.();
    timers.set(name, clock.setTimer(afterMs, work));
  }

  function sweep(): void {
    const now = clock.now();
    notify(({ expiresAt }) => expiresAt > 0 && expiresAt <= now);
    if (revocations.blindMs() > MAX_BLIND_MS) for (const listener of blindListeners) listener();
    if (sweeps++ % WATCHED_SWEEPS === 0) watch.forgetOlder();
    schedule('sweep', SWEEP_EVERY_MS, sweep);
  }
  sweep();

  let verifying = Promise.resolve();
  function verify(): void {
    verifying = verifyNow();
  }

  async function verifyNow(): Promise<void> {
    const asked = unverified;
    unverified = [];
    try {
      const dead = await findDead(tokens, suspectsOf(asked, notify));
      if (dead.size > 0) notify(({ sessionId }) => dead.has(sessionId));
    } catch (error) {
      log.warn({ error }, 'failed to verify the sessions of open sockets; will retry');
      unverified.push(...asked);
      schedule('verify', VERIFY_AGAIN_MS, verify);
    }
  }

  const forget = revocations.onRevoked((revoked) => {
    const ids = sessionIdsOf(revoked);
    if (ids.size > 0) notify(({ sessionId }) => ids.has(sessionId));
    unverified.push(revoked);
    verify();
  });

  let confirming: Promise<void> | undefined;
  async function learn(): Promise<void> {
    await revocations.learn();
    await verifying;
    if (!revocations.isFresh() || unverified.length > 0)
      fail('service_unavailable', { retryAfterSeconds: 1 });
  }

  return {
    watch: (caller) => watch.add(caller),
    hasEnded: (caller) => watch.hasEnded(caller),
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    confirm() {
      if (!confirming && revocations.isFresh()) return undefined;
      if (!confirming) {
        confirming = runDetached(learn).finally(() => (confirming = undefined));
        // A caller that gives up does not await it.
        confirming.catch(() => undefined);
      }
      return confirming;
    },
    onBlind(listener) {
      blindListeners.add(listener);
      return () => void blindListeners.delete(listener);
    },
    stop() {
      forget();
      listeners.clear();
      blindListeners.clear();
      for (const cancel of timers.values()) cancel();
    },
  };
}

/** The callers whose session may have ended; `notify` calls back for each that is kept. */
function suspectsOf(revoked: readonly RevokedNow[], notify: RevocationListener): SessionCaller[] {
  const suspects = new Set<SessionCaller>();
  notify((caller) => {
    if (revoked.some((batch) => concernsUser(batch, caller))) suspects.add(caller);
    return false;
  });
  return [...suspects];
}

/** Ids of the sessions that have ended. */
async function findDead(tokens: LookUp, callers: readonly SessionCaller[]): Promise<Set<string>> {
  const verdicts = await Promise.all(callers.map((caller) => isDead(tokens, caller)));
  return new Set(callers.filter((_, index) => verdicts[index]).map(({ sessionId }) => sessionId));
}

async function isDead(tokens: LookUp, { tokenHash }: SessionCaller): Promise<boolean> {
  try {
    await tokens.lookUp(Caller_Kind.SESSION, tokenHash);
    return false;
  } catch (error) {
    if (isAuthenticationProblem(error)) return true;
    throw error;
  }
}
