import { durableMessages } from '@parley/domain/events/durable-messages';
import { retryDelay } from '@parley/outbound/turns/retry-schedule';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import type { Context } from '../context.ts';
import type { Outcome } from '../provider/outcome.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import { settleDeliveries, type Settlement } from '../sql/delivery-settlement.ts';

/** A result, with the event that is published once it is stored. */
export type Result = Settlement & { event?: Event | undefined };

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

/** Judges an attempt: success, another attempt later, or a dead letter. */
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

/** Stores results of deliveries that the worker still holds, with the events that other services await. */
export async function storeResults(
  { db, outbox }: Context,
  worker: string,
  results: readonly Result[],
): Promise<void> {
  if (results.every(({ event }) => event === undefined)) {
    await settleDeliveries(db, worker, results);
    return;
  }
  await db.tx(async (tx) => {
    const settled = new Set(await settleDeliveries(tx, worker, results));
    const events = results.flatMap(({ id, event }) => (event && settled.has(id) ? [event] : []));
    await outbox.add(tx, durableMessages(events));
  });
}

function keyOf({ app_id, target_id, id }: ClaimedDelivery) {
  return { appId: app_id, targetId: target_id, id };
}
