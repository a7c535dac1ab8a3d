import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher } from '@parley/kit/flow/batch';
import type { JobContext } from '@parley/kit/durable/work/jobs';
import { runInContext } from '@parley/kit/runtime/request-context';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { Claim } from './turns/claim-sql.ts';
import type { DeliveryOwner, TargetLimits } from './turns/concurrency-limiter.ts';
import { createDispatcher, type Attempt } from './turns/dispatcher.ts';
import { startWorker } from './turns/worker.ts';

type Claimed = DeliveryOwner & { id: string };
/** The delivery that a result is of. */
type ResultKey = { appId: string; targetId: string; id: string };

/** One kind of deliveries, as a service defines it. */
export type Sending<Delivery extends Claimed, Result extends ResultKey> = {
  /** The delivery's name in the log. */
  what: string;
  /** Prepares, calls the target and judges its answer. Never rejects. `quick`: the target answered well, and fast. */
  attempt(delivery: Delivery): Promise<{ result: Result; quick: boolean }>;
  /** Stores results of deliveries that the worker still holds. They come in the order of their keys. */
  settle(results: readonly Result[]): Promise<void>;
  /** Results that one transaction stores. Default: 256. */
  settledAtOnce?: number;
  /** Closes the resources that attempts use. */
  stop?(): Promise<void>;
};

export type Attempts<Delivery extends Claimed> = { run: Attempt<Delivery>; stop(): Promise<void> };

export type DeliveriesOptions<Delivery extends Claimed> = {
  /** A new id for this process as a worker. */
  workerId: string;
  claimDue(claim: Claim): Promise<Delivery[]>;
  /** Gives the attempts of a worker. */
  attempts(worker: string): Attempts<Delivery>;
  /** Deliveries to one target that may be in progress. */
  ofTarget?: TargetLimits;
};

export type Deliveries = {
  /** Looks for due deliveries now. */
  wake(): void;
};

const SETTLED_AT_ONCE = 256;
const MAX_UNSETTLED = 100_000;
const SETTLE_RETRY_MS = 1000;

/** Sends due deliveries until the process stops: claim, attempt, settle. Claims of a worker that dies are released. */
export async function startDeliveries<Delivery extends Claimed>(
  { db, log, clock }: JobContext,
  stopper: Stopper,
  { workerId, claimDue, attempts, ofTarget }: DeliveriesOptions<Delivery>,
): Promise<Deliveries> {
  const worker = await startWorker({ db, log, clock }, workerId);
  stopper.add('worker', () => worker.stop());
  const { run, stop } = attempts(worker.id);
  stopper.add('attempts', stop);
  const dispatcher = createDispatcher({
    log,
    clock,
    releaseOthers: worker.releaseOthers,
    claimDue: (request) => claimDue({ worker: worker.id, now: clock.now(), ...request }),
    attempt: run,
    ...(ofTarget && { ofTarget }),
  });
  stopper.add('dispatcher', () => dispatcher.stop());
  return dispatcher;
}

/**
 * Attempts deliveries of one kind. The result of a call must not be lost: until the database stores it, or the process stops, the
 * worker keeps the delivery.
 */
export function createAttempts<Delivery extends Claimed, Result extends ResultKey>(
  { log }: { log: Logger },
  sending: Sending<Delivery, Result>,
): Attempts<Delivery> {
  const { what, settledAtOnce: maxItems = SETTLED_AT_ONCE } = sending;
  const stopping = new AbortController();
  const { signal } = stopping;
  const settling = createBatcher<Result, void>({
    maxItems,
    maxQueued: MAX_UNSETTLED,
    async run(results) {
      await sending.settle(results.toSorted(compareKeys));
      return results.map(() => undefined);
    },
  });

  async function store(result: Result): Promise<void> {
    for (;;) {
      try {
        return await settling.add(result);
      } catch (error) {
        const { appId, id: deliveryId } = result;
        log.warn({ error, appId, deliveryId }, `failed to store result of ${what}; will retry`);
      }
      if (signal.aborted) return;
      await delay(SETTLE_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async run(delivery) {
      const { result, quick } = await runInContext({ requestId: delivery.id }, () =>
        sending.attempt(delivery),
      );
      await store(result);
      return { quick };
    },
    async stop() {
      stopping.abort();
      await settling.stop();
      await sending.stop?.();
    },
  };
}

/** Transactions of several processes take rows in this order, so that they do not deadlock. */
function compareKeys(first: ResultKey, second: ResultKey): number {
  const [a, b] = [first, second].map(({ appId, targetId, id }) => appId + targetId + id);
  return a! < b! ? -1 : 1;
}
