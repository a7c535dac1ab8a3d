import { randomBytes } from 'node:crypto';
import { every } from '@parley/kit/work/every';
import { fairShare } from '@parley/kit/limits/fair-share';
import type { Clock } from '@parley/kit/clock';
import type { Logger } from '@parley/kit/telemetry/log';
import type { Database } from '@parley/kit/postgres';
import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { Wire } from '@parley/domain/wire';
import { describeFailure } from '../target/describe-failure.ts';
import type { TargetClient } from '../target/client.ts';
import { claimVerifications, settleVerification, type DueVerification } from '../sql/webhook-verification.ts';

/** Asks targets whether they want what is sent to them. */
export type Verifier = {
  /** Something became due. */
  wake(): void;
  /** Resolves when the targets that were asked have answered. */
  stop(): Promise<void>;
};

type Options = { db: Database; client: TargetClient; wire: Wire; clock: Clock; log: Logger };

/** A verification that was begun and came to no end, since the process did, is begun again after that. */
const LEASE_MS = 15_000;
const POLL_MS = 1000;
const MAX_ACTIVE = 256;
const MAX_BODY_BYTES = 1024;

/**
 * Due verifications are rows: a restart forgets none. A slow target holds up no other, and an application has no more
 * of them under way than are left to all others.
 */
export function startVerifier({ db, client, wire, clock, log }: Options): Verifier {
  const running = new Map<Promise<void>, string>();
  let after = NIL_UUID;

  async function claim(): Promise<void> {
    const isRound = after !== NIL_UUID;
    await claimAfter(after);
    if (isRound && after === NIL_UUID) await claimAfter(NIL_UUID);
  }

  async function claimAfter(appId: string): Promise<void> {
    const now = clock.now();
    const limit = MAX_ACTIVE - running.size;
    if (limit <= 0) return;
    const own = Map.groupBy(running.values(), (id) => id);
    const claimed = await claimVerifications(db, {
      ...{ now, retryAt: now + LEASE_MS, after: appId, limit },
      shares: [...own].map(([app_id, some]) => ({ app_id, share: fairShare(limit, some.length) })),
      share: fairShare(limit, 0),
    });
    for (const due of claimed) begin(due);
    after = claimed.length < limit ? NIL_UUID : (claimed.map(({ app_id }) => app_id).sort().at(-1) ?? NIL_UUID); // prettier-ignore
  }

  function begin(due: DueVerification): void {
    const work: Promise<void> = verify(due).finally(() => running.delete(work));
    running.set(work, due.app_id);
  }

  async function verify(due: DueVerification): Promise<void> {
    try {
      const reason = await verifyTarget(client, wire, due.target_url);
      await settleVerification(db, due, { reason, now: clock.now() });
    } catch (error) {
      log.warn({ error, webhookId: due.id }, 'verification not settled yet');
    }
  }

  const name = 'webhook-verification';
  const job = every({ db, name, intervalMs: POLL_MS, exclusive: false, run: claim, log, clock });
  return {
    wake: () => void job.runNow(),
    async stop() {
      await job.stop();
      await Promise.all(running.keys());
    },
  };
}

/** Why a target does not pass; undefined when it does. SPEC Webhook status, completions 7 */
export async function verifyTarget(
  client: TargetClient,
  wire: Wire,
  targetUrl: string,
): Promise<string | undefined> {
  const challenge = randomBytes(32).toString('base64url');
  const url = withChallenge(targetUrl, challenge);
  const headers = { 'user-agent': wire.webhooksUserAgent, accept: '*/*' };
  try {
    const answer = await client.send({ method: 'GET', url, headers, maxBytes: MAX_BODY_BYTES });
    if (answer.status !== 200)
      return `verification failed: the target answered ${answer.status} instead of 200`;
    const isEcho = answer.isWhole && answer.body.equals(Buffer.from(challenge));
    return isEcho ? undefined : 'verification failed: the target did not answer with the challenge';
  } catch (error) {
    return `verification failed: ${describeFailure(error)}`;
  }
}

/** The query that is there stays as it is written. */
export function withChallenge(targetUrl: string, challenge: string): URL {
  const url = new URL(targetUrl);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}verification_challenge=${challenge}`;
  return url;
}
