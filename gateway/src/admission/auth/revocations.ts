import type { Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/runtime/clock';
import type { FollowedClock } from '@parley/kit/runtime/clock/followed-clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { detach } from '@parley/kit/runtime/request-context';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { RevokedNow } from './revoked.ts';

const POLL_EVERY_MS = 500;
const POLL_TIMEOUT_MS = 900;
/** Cached callers may be used for this long after the last successful poll was sent. */
const FRESH_FOR_MS = 1_000;

/** Polls identity for revocations instead of relying on messages that may be lost. */
export type Revocations = {
  /** Whether cached values may be used. */
  isFresh(): boolean;
  /** Milliseconds since identity last answered with revocations; Infinity before the first answer. */
  blindMs(): number;
  /** A value that changes with every revocation; undefined before the first answer. */
  mark(): number | undefined;
  onRevoked(listener: (revoked: RevokedNow) => void): () => void;
  /** Polls at once; settles when all earlier revocations have been applied or could not be fetched. */
  learn(): Promise<void>;
  stop(): void;
};

type Options = {
  identity: Client<typeof IdentityService>;
  clock: Clock;
  /** Learns the time of identity's database from each answer. */
  followedClock?: FollowedClock | undefined;
  log: Logger;
};

export function startRevocations({ identity, clock, followedClock, log }: Options): Revocations {
  const listeners = new Set<(revoked: RevokedNow) => void>();
  const runDetached = detach();
  let cursor = 0;
  let epoch = '';
  let mark: number | undefined;
  let goodSince = -Infinity;
  let failing = false;
  let stopped = false;
  let cancelTimer: (() => void) | undefined;
  let lastPoll = Promise.resolve();

  function notify(revoked: RevokedNow): void {
    const isNews = revoked === 'all' || revoked.length > 0;
    if (isNews || mark === undefined) mark = (mark ?? 0) + 1;
    if (isNews) for (const listener of listeners) listener(revoked);
  }

  async function ask(): Promise<void> {
    const began = clock.elapsed();
    const answer = await identity.listRevocations({ cursor, epoch }, { timeoutMs: POLL_TIMEOUT_MS });
    ({ cursor, epoch } = answer);
    // An identity service of the previous release does not send the time.
    if (answer.now > 0)
      followedClock?.learn({ theirs: answer.now, askedAt: began, answeredAt: clock.elapsed() });
    notify(answer.forgetAll ? 'all' : answer.revocations);
    goodSince = began;
    if (failing) log.info('revocation polling recovered');
    failing = false;
  }

  async function poll(): Promise<void> {
    cancelTimer?.();
    if (stopped) return;
    const next = clock.elapsed() + POLL_EVERY_MS;
    try {
      await ask();
    } catch (error) {
      if (!failing && !stopped) log.warn({ error }, 'failed to poll revocations; looking up every token');
      failing = true;
    }
    if (!stopped) cancelTimer = clock.setTimer(Math.max(0, next - clock.elapsed()), () => void learn());
  }

  /** One poll at a time: each starts from the cursor of the previous answer. */
  function learn(): Promise<void> {
    return (lastPoll = lastPoll.then(() => runDetached(poll)));
  }
  void learn();

  return {
    isFresh: () => clock.elapsed() - goodSince < FRESH_FOR_MS,
    blindMs: () => clock.elapsed() - goodSince,
    mark: () => mark,
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    learn,
    stop() {
      stopped = true;
      cancelTimer?.();
    },
  };
}
