import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
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
import type { Outcome } from './call.ts';
import { retryDelay } from './retry-schedule.ts';

/** The result of an attempt, and its target. `health`: what it shows about the target; absent when nothing was sent. */
export type Verdict = Settlement &
  TargetRef & { targetId: string; health?: 'well' | 'failing' | 'gone' | undefined };

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
  const settle = (health: Verdict['health'], to: DeliveryStatus, dueAt = now): Verdict => ({
    ...targetOf(delivery),
    status: to,
    dueAt,
    at: now,
    attempt,
    health,
  });
  if (status !== undefined && status >= 200 && status < 300) return settle('well', DeliveryStatus.DELIVERED);
  if (status === GONE) return settle('gone', DeliveryStatus.DEAD);
  const retryAfter = parseRetryAfter(outcome.retryAfter, now);
  const delay = retryDelay(delivery.tries + 1, random, retryAfter);
  if (delay === undefined) return settle('failing', DeliveryStatus.DEAD);
  return settle('failing', DeliveryStatus.PENDING, now + delay);
}

/** Nothing was sent, for a reason that is not the target's: the delivery is due again soon. */
export function postpone(delivery: ClaimedDelivery, now: number): Verdict {
  const { PENDING: status } = DeliveryStatus;
  return { ...targetOf(delivery), status, dueAt: now + POSTPONED_MS, at: now, attempt: null };
}

/** Stores verdicts of deliveries that the worker still holds. */
export async function storeVerdicts(
  { db, clock }: Context,
  worker: string,
  verdicts: readonly Verdict[],
): Promise<void> {
  await db.tx(async (tx) => {
    await settleDeliveries(tx, worker, verdicts);
    await recordHealth(tx, verdicts, clock.now());
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
  const targets = verdicts.filter((verdict) => verdict.health === health);
  const unique = new Map(targets.map((target) => [target.webhookId, target]));
  return [...unique.values()].sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
}

function targetOf({ app_id: appId, webhook_id: webhookId, id, target_url: targetUrl }: ClaimedDelivery) {
  return { appId, webhookId, targetId: webhookId, id, targetUrl };
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
