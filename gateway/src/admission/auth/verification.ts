import type { Clock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { Caller_Kind } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { isAuthenticationProblem } from '@parley/http/errors/authentication-problem';
import { concernsUser, type RevokedNow } from './revoked.ts';
import type { Tokens } from './tokens.ts';
import type { RevocationListener, SessionCaller } from './watch.ts';

type LookUp = Pick<Tokens, 'lookUp'>;
type Options = { tokens: LookUp; notify: RevocationListener; clock: Clock; log: Logger };

/** Asks identity which sessions have ended because of a revocation, and notifies listeners of those. */
export type Verification = {
  add(revoked: RevokedNow): void;
  /** Resolves with true when all sessions added until now have been checked, and with false if identity did not answer for all of them. */
  verified(): Promise<boolean>;
  stop(): void;
};

const AGAIN_MS = 1_000;

export function createVerification({ tokens, notify, clock, log }: Options): Verification {
  let unverified: RevokedNow[] = [];
  let verifying = Promise.resolve();
  let cancelRetry = (): void => undefined;

  function verify(): void {
    const before = verifying;
    verifying = verifyNow().then(() => before);
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
      cancelRetry();
      cancelRetry = clock.setTimer(AGAIN_MS, verify);
    }
  }

  return {
    add(revoked) {
      unverified.push(revoked);
      verify();
    },
    verified: () => verifying.then(() => unverified.length === 0),
    stop: () => cancelRetry(),
  };
}

/** Callers whose sessions may have ended; `notify` calls back for each caller that is kept. */
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
