import type { Clock } from '@parley/kit/clock';
import { detach } from '@parley/kit/request-context';
import type { Logger } from '@parley/kit/telemetry/log';
import type { ClaimDue } from './claim.ts';
import { createClaimCursor } from './claim-cursor.ts';
import { createDeliveryLimiter, type DeliveryOwner, type TargetLimits } from './concurrency-limiter.ts';

export type Dispatcher = { wake(): void; stop(): Promise<void> };

/** Never rejects. `quick`: the target answered well, and fast. */
export type Attempt<Delivery extends DeliveryOwner> = (delivery: Delivery) => Promise<{ quick: boolean }>;

export type DispatcherOptions<Delivery extends DeliveryOwner> = {
  log: Logger;
  clock: Clock;
  claimDue: ClaimDue<Delivery>;
  attempt: Attempt<Delivery>;
  /** Deliveries to one target that may be in progress. */
  ofTarget?: TargetLimits;
};

const POLL_MS = 500;
const MAX_CLAIM = 256;

/**
 * Claims due deliveries while the limiter has capacity, and attempts them. Claims go round the applications, and in each round
 * its targets. No target gets more than its capacity and no application more than its share, so that slow, dead or busy ones
 * do not delay others.
 */
export function createDispatcher<Delivery extends DeliveryOwner>(
  options: DispatcherOptions<Delivery>,
): Dispatcher {
  const { log, clock, claimDue, attempt, ofTarget } = options;
  const limiter = createDeliveryLimiter(ofTarget);
  const cursor = createClaimCursor(limiter);
  const running = new Set<Promise<void>>();
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
    const work: Promise<void> = attempt(row).then(({ quick }) => {
      limiter.end(row, quick);
      running.delete(work);
      if (cursor.isWorthAClaim(row) || limiter.free() === 1) wake();
    });
    running.add(work);
  }

  async function fill(): Promise<void> {
    do {
      claimAgain = false;
      try {
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
      await Promise.all(running);
    },
  };
}
