import type { Clock } from '@parley/kit/runtime/clock';
import { detach } from '@parley/kit/runtime/request-context';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { ClaimDue } from './claim.ts';
import { createClaimCursor } from './claim-cursor.ts';
import { createDeliveryLimiter, type DeliveryOwner, type TargetLimits } from './concurrency-limiter.ts';

export type Dispatcher = { wake(): void; stop(): Promise<void> };

/** Never rejects. `quick`: the target answered well, and fast. */
export type Attempt<Delivery extends DeliveryOwner> = (delivery: Delivery) => Promise<{ quick: boolean }>;

type Claimed = DeliveryOwner & { id: string };

export type DispatcherOptions<Delivery extends Claimed> = {
  log: Logger;
  clock: Clock;
  claimDue: ClaimDue<Delivery>;
  /** Releases what was claimed besides these deliveries. */
  releaseOthers(keptIds: readonly string[]): Promise<void>;
  attempt: Attempt<Delivery>;
  /** Deliveries to one target that may be in progress. */
  ofTarget?: TargetLimits;
};

const POLL_MS = 1000;
const MAX_CLAIM = 256;
/**
 * How many polls pass between two looks for deliveries that this worker has claimed without knowing it: when a connection
 * breaks, the database may have committed a claim whose answer never came.
 */
const POLLS_BEFORE_RELEASE = 10;

/**
 * Claims due deliveries while the limiter has capacity, and attempts them. Claims go round the applications, and in each round
 * its targets. No target gets more than its capacity and no application more than its share, so that slow, dead or busy ones
 * do not delay others.
 */
export function createDispatcher<Delivery extends Claimed>(options: DispatcherOptions<Delivery>): Dispatcher {
  const { log, clock, claimDue, releaseOthers, attempt, ofTarget } = options;
  const limiter = createDeliveryLimiter(ofTarget);
  const cursor = createClaimCursor(limiter);
  const running = new Map<Delivery, Promise<void>>();
  const lostClaims = createLostClaims(releaseOthers, running);
  const detached = detach();
  let filling: Promise<void> | undefined;
  let claimAgain = false;
  let stopped = false;
  let cancelPoll: () => void = () => undefined;

  async function claim(): Promise<void> {
    const limit = Math.min(MAX_CLAIM, limiter.free());
    if (limit <= 0) return;
    const request = cursor.next(limit);
    const rows = await claimDue(request);
    claimAgain = cursor.advance(rows, request) || claimAgain;
    for (const row of rows) begin(row);
  }

  function begin(row: Delivery): void {
    limiter.begin(row);
    const work = attempt(row).then(({ quick }) => {
      limiter.end(row, quick);
      running.delete(row);
      if (cursor.isWorthAClaim(row) || limiter.free() === 1) wake();
    });
    running.set(row, work);
  }

  async function fill(): Promise<void> {
    do {
      claimAgain = false;
      try {
        // Between two claims, so that each delivery of an answered claim is in progress.
        await lostClaims.release();
        await claim();
      } catch (error) {
        log.warn({ error }, 'failed to claim deliveries; will retry');
        return;
      }
    } while (claimAgain && !stopped);
  }

  function wake(): void {
    claimAgain = true;
    if (!stopped) filling ??= detached(fill).finally(() => (filling = undefined));
  }

  function poll(): void {
    lostClaims.polled();
    wake();
    if (!stopped) cancelPoll = clock.setTimer(POLL_MS, poll);
  }

  poll();
  return {
    wake,
    async stop() {
      stopped = true;
      cancelPoll();
      await filling;
      await Promise.all(running.values());
    },
  };
}

/** Releases every now and then what was claimed, but is not in progress. */
function createLostClaims(
  releaseOthers: (keptIds: readonly string[]) => Promise<void>,
  inProgress: ReadonlyMap<{ id: string }, unknown>,
) {
  let polls = 0;
  return {
    polled: () => void (polls += 1),
    async release(): Promise<void> {
      if (polls < POLLS_BEFORE_RELEASE) return;
      polls = 0;
      await releaseOthers([...inProgress.keys()].map(({ id }) => id));
    },
  };
}
