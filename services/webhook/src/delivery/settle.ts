import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { createBatcher, type Batcher } from '@parley/kit/batch';
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
import { parseRetryAfter, retryDelay } from './retry-schedule.ts';

/** What an attempt comes to; `health` is what it says of the target, nothing when nothing was sent. */
export type Verdict = {
  settlement: Settlement;
  target: TargetRef;
  health?: 'well' | 'failing' | 'gone';
};

const GONE = 410;
const GIVE_UP_MS = 5 * 24 * 3600_000;
const POSTPONED_MS = 2000;

/** Third stage: success, another attempt later, or a dead letter. SPEC completions 7 */
export function judge(
  delivery: ClaimedDelivery,
  outcome: Outcome,
  { now, random }: { now: number; random: number },
): Verdict {
  const { status } = outcome;
  const attempt = JSON.stringify(attemptOf(outcome, now));
  const settle = (to: DeliveryStatus, dueAt = now): Settlement => ({
    ...keyOf(delivery),
    ...{ status: to, due_at: dueAt, at: now, attempt },
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

/** Nothing could be sent, for a reason that is not the target's. */
export function postpone(delivery: ClaimedDelivery, now: number): Verdict {
  const { PENDING: status } = DeliveryStatus;
  const settlement = { ...keyOf(delivery), status, due_at: now + POSTPONED_MS, at: now, attempt: null };
  return { settlement, target: targetOf(delivery) };
}

/** Writes verdicts, many at a time. */
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

/** In one order, so that transactions of several processes do not wait for each other in a circle. */
function targetsOf(verdicts: readonly Verdict[], health: Verdict['health']): TargetRef[] {
  const targets = verdicts.filter((verdict) => verdict.health === health).map(({ target }) => target);
  const unique = new Map(targets.map((target) => [target.webhook_id, target]));
  return [...unique.values()].sort((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1));
}

function compareKeys(one: Settlement, other: Settlement): number {
  const [first, second] = [one, other].map(({ app_id, webhook_id, id }) => app_id + webhook_id + id);
  return first! < second! ? -1 : 1;
}

function keyOf({ app_id, webhook_id, id }: ClaimedDelivery) {
  return { app_id, webhook_id, id };
}

function targetOf({ app_id, webhook_id, target_url }: ClaimedDelivery): TargetRef {
  return { app_id, webhook_id, target_url };
}

function attemptOf({ durationMs, status, text, error }: Outcome, at: number) {
  return {
    ...{ at, duration_ms: durationMs },
    ...(status !== undefined && { response_status: status }),
    ...(text !== undefined && { response_body: text }),
    ...(error !== undefined && { error }),
  };
}
