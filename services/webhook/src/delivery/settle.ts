import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { createBatcher, type Batcher } from '@parley/kit/flow/batch';
import { parseRetryAfter } from '@parley/outbound/turns/retry-schedule';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import {
  deactivateGone,
  noteFailures,
  noteSuccesses,
  settleDeliveries,
  type Settlement,
  type TargetRef,
} from '../sql/delivery-settlement.ts';
import type { DeliveryKey } from '../sql/delivery.ts';
import type { Outcome } from './call.ts';
import { retryDelay } from './retry-schedule.ts';

/** The result of an attempt. `health`: what it shows about the target; absent when nothing was sent. */
export type Verdict = {
  settlement: Settlement;
  target: TargetRef;
  health?: 'well' | 'failing' | 'gone';
};

const GONE = 410;
const GIVE_UP_MS = 5 * 24 * 3600_000;
const POSTPONED_MS = 2000;

/** Third stage: success, another attempt later, or a dead letter. docs/protocol/webhooks.md#success-and-retries */
export function judge(
  delivery: ClaimedDelivery,
  outcome: Outcome,
  { now, random }: { now: number; random: number },
): Verdict {
  const { status } = outcome;
  const attempt = JSON.stringify(attemptOf(outcome, now));
  const settle = (to: DeliveryStatus, dueAt = now): Settlement => ({
    ...keyOf(delivery),
    status: to,
    dueAt,
    at: now,
    attempt,
  });
  const target = targetOf(delivery);
  if (status !== undefined && status >= 200 && status < 300) {
    return { settlement: settle(DeliveryStatus.DELIVERED), target, health: 'well' };
  }
  if (status === GONE) return { settlement: settle(DeliveryStatus.DEAD), target, health: 'gone' };
  const retryAfter = parseRetryAfter(outcome.retryAfter, now);
  const delay = retryDelay(delivery.tries + 1, random, retryAfter);
  if (delay === undefined) return { settlement: settle(DeliveryStatus.DEAD), target, health: 'failing' };
  return { settlement: settle(DeliveryStatus.PENDING, now + delay), target, health: 'failing' };
}

/** Nothing was sent, for a reason that is not the target's: the delivery is due again soon. */
export function postpone(delivery: ClaimedDelivery, now: number): Verdict {
  const { PENDING: status } = DeliveryStatus;
  const settlement = { ...keyOf(delivery), status, dueAt: now + POSTPONED_MS, at: now, attempt: null };
  return { settlement, target: targetOf(delivery) };
}

/** Stores verdicts in batches. */
export function createSettling({ db, clock }: Context, worker: string): Batcher<Verdict, void> {
  return createBatcher<Verdict, void>({
    maxItems: 256,
    maxQueued: 100_000,
    async run(verdicts) {
      await db.tx(async (tx) => {
        const settlements = verdicts.map(({ settlement }) => settlement).sort(compareKeys);
        await settleDeliveries(tx, worker, settlements);
        await recordHealth(tx, verdicts, clock.now());
      });
      return verdicts.map(() => undefined);
    },
  });
}

async function recordHealth(tx: Tx, verdicts: readonly Verdict[], now: number): Promise<void> {
  const failing = targetsOf(verdicts, 'failing');
  const reason = 'deactivated: every delivery has failed for five days';
  if (failing.length > 0) await noteFailures(tx, failing, { now, since: now - GIVE_UP_MS, reason });
  const well = targetsOf(verdicts, 'well');
  if (well.length > 0) await noteSuccesses(tx, well);
  const gone = targetsOf(verdicts, 'gone');
  if (gone.length > 0) await deactivateGone(tx, gone, 'deactivated: the target answered 410 Gone');
}

/** Sorted by webhook, so that transactions of several processes do not deadlock. */
function targetsOf(verdicts: readonly Verdict[], health: Verdict['health']): TargetRef[] {
  const targets = verdicts.filter((verdict) => verdict.health === health).map(({ target }) => target);
  const unique = new Map(targets.map((target) => [target.webhookId, target]));
  return [...unique.values()].sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
}

function compareKeys(first: Settlement, second: Settlement): number {
  const [a, b] = [first, second].map(({ appId, webhookId, id }) => appId + webhookId + id);
  return a! < b! ? -1 : 1;
}

function keyOf({ app_id, webhook_id, id }: ClaimedDelivery): DeliveryKey {
  return { appId: app_id, webhookId: webhook_id, id };
}

function targetOf({ app_id, webhook_id, target_url }: ClaimedDelivery): TargetRef {
  return { appId: app_id, webhookId: webhook_id, targetUrl: target_url };
}

/** The record of an attempt in the delivery's JSON. */
function attemptOf({ durationMs, status, text, error }: Outcome, at: number) {
  return {
    at,
    duration_ms: durationMs,
    ...(status !== undefined && { response_status: status }),
    ...(text !== undefined && { response_body: text }),
    ...(error !== undefined && { error }),
  };
}
