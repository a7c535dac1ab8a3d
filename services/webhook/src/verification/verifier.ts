import { every } from '@parley/kit/durable/work/every';
import { fairShare } from '@parley/kit/flow/limits/fair-share';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { Database } from '@parley/kit/postgres';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Wire } from '@parley/domain/wire';
import type { TargetClient } from '@parley/outbound/client';
import { challengeTarget } from './challenge.ts';
import { claimVerifications, settleVerification, type DueVerification } from '../sql/webhook-verification.ts';

/** Verifies webhooks: a target has to answer with a challenge before it gets deliveries. */
export type Verifier = {
  /** Looks for due verifications now. */
  wake(): void;
  /** Resolves when the verifications in progress have ended. */
  stop(): Promise<void>;
};

type Options = { db: Database; client: TargetClient; wire: Wire; clock: Clock; log: Logger };

/** Time after which a verification whose process died is due again. */
const LEASE_MS = 15_000;
const POLL_MS = 1000;
const MAX_ACTIVE = 256;

/**
 * Due verifications are rows, so they survive a restart. A slow target delays no other, and an application has at most as many
 * verifications in progress as are left for all other applications.
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
      now,
      retryAt: now + LEASE_MS,
      after: appId,
      limit,
      shares: [...own].map(([id, active]) => ({ appId: id, share: fairShare(limit, active.length) })),
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
    const { app_id: appId, id, verification_id: verificationId } = due;
    try {
      const reason = await challengeTarget(client, wire, due.target_url);
      await settleVerification(db, { appId, id, verificationId }, { reason, now: clock.now() });
    } catch (error) {
      log.warn(
        { error, appId, webhookId: id },
        'failed to store result of webhook verification; will verify again',
      );
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
