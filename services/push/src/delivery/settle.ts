import { createBatcher, type Batcher } from '@parley/kit/batch';
import { retryDelay } from '@parley/outbound/turns/retry-schedule';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import type { Context } from '../context.ts';
import type { Outcome } from '../provider/outcome.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import { settleDeliveries, type Settlement } from '../sql/delivery-settlement.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const POSTPONED_MS = 2 * SECOND_MS;

/** Delays before the second, third, … attempt. docs/protocol/messages.md#notifications */
const DELAYS_MS = [
  2 * SECOND_MS,
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** After an attempt: success, another attempt later, or a dead letter. */
export function judge(
  delivery: ClaimedDelivery,
  outcome: Outcome,
  { now, random }: { now: number; random: number },
): Settlement {
  const { PENDING, DELIVERED, DEAD } = PushDeliveryStatus;
  const settle = (status: PushDeliveryStatus, dueAt: number, reason: string | null): Settlement => ({
    ...keyOf(delivery),
    status,
    dueAt,
    at: now,
    isAttempt: true,
    reason,
  });
  if (outcome.kind === 'delivered') return settle(DELIVERED, now, null);
  if (outcome.kind !== 'failed') return settle(DEAD, now, outcome.reason);
  const attempts = delivery.attempts + 1;
  const delay = retryDelay(DELAYS_MS, { attempts, random, retryAfterMs: outcome.retryAfterMs ?? 0 });
  const isOver = delay === undefined || now + delay >= delivery.expires_at;
  return isOver ? settle(DEAD, now, outcome.reason) : settle(PENDING, now + delay, outcome.reason);
}

/** There is no reason left to send it. */
export function drop(delivery: ClaimedDelivery, reason: string, now: number): Settlement {
  const status = PushDeliveryStatus.DROPPED;
  return { ...keyOf(delivery), status, dueAt: now, at: now, isAttempt: false, reason };
}

/** Nothing was sent, for a reason that is not the push service's: the delivery is due again soon. */
export function postpone(delivery: ClaimedDelivery, now: number): Settlement {
  const status = PushDeliveryStatus.PENDING;
  return {
    ...keyOf(delivery),
    status,
    dueAt: now + POSTPONED_MS,
    at: now,
    isAttempt: false,
    reason: null,
  };
}

/** Stores settlements in batches. */
export function createSettling({ db }: Context, worker: string): Batcher<Settlement, void> {
  return createBatcher<Settlement, void>({
    maxItems: 256,
    maxQueued: 100_000,
    async run(settlements) {
      await settleDeliveries(db, worker, settlements.toSorted(compareKeys));
      return settlements.map(() => undefined);
    },
  });
}

function compareKeys(first: Settlement, second: Settlement): number {
  const [a, b] = [first, second].map(({ appId, targetId, id }) => appId + targetId + id);
  return a! < b! ? -1 : 1;
}

function keyOf({ app_id, target_id, id }: ClaimedDelivery) {
  return { appId: app_id, targetId: target_id, id };
}
