import { detach } from '@parley/kit/request-context';
import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { Context } from '../context.ts';
import {
  claimDeliveries,
  type AppShare,
  type ClaimedDelivery,
  type WebhookCapacity,
} from '../sql/delivery-claim.ts';
import { createDeliveryLimiter, INITIAL_LIMIT } from './concurrency-limiter.ts';

export type Dispatcher = { wake(): void; stop(): Promise<void> };

/** Never rejects; says whether the target answered well, and quickly. */
export type Attempt = (delivery: ClaimedDelivery) => Promise<{ quick: boolean }>;

const POLL_MS = 500;
const MAX_CLAIM = 256;
/** How much of its share an application must have again for a claim to be worth its statement. */
const MIN_SHARE_TO_CLAIM = 4;

/**
 * Claims what is due as long as there is room, and attempts it. Claims go round through the applications, and in each
 * through its webhooks. Each webhook gets no more than its own room, and each application no more than its share: what
 * is slow or dead, or much, keeps no other waiting.
 */
export function createDispatcher({ db, log, clock }: Context, worker: string, attempt: Attempt): Dispatcher {
  const limiter = createDeliveryLimiter();
  const running = new Set<Promise<void>>();
  // Webhooks whose last claim took all that they had room for.
  const backlogged = new Set<string>();
  const detached = detach();
  // Applications whose last claim took all of their share, with the webhook that it ended at.
  const lastWebhooks = new Map<string, string>();
  let after = NIL_UUID;
  let filling: Promise<void> | undefined;
  let claimAgain = false;
  let stopped = false;
  let cancelPoll: () => void = () => undefined;

  async function claim(): Promise<void> {
    const limit = Math.min(MAX_CLAIM, limiter.free());
    if (limit <= 0) return;
    const known = limiter.listCapacities();
    const shares = sharesOf();
    const rows = await claimDeliveries(db, {
      ...{ worker, now: clock.now(), after, limit },
      ...{ capacities: known, capacity: INITIAL_LIMIT, shares, share: limiter.share() },
    });
    noteBacklogged(rows, known);
    const isRestarted = noteLastWebhooks(rows, limit);
    claimAgain ||= rows.length >= limit || after !== NIL_UUID || isRestarted;
    after = rows.length >= limit ? lastOf(rows.map(({ app_id }) => app_id)) : NIL_UUID;
    for (const row of rows) begin(row);
  }

  function sharesOf(): AppShare[] {
    const appIds = new Set([...limiter.listShares().map(({ app_id }) => app_id), ...lastWebhooks.keys()]);
    return [...appIds].map((app_id) => ({
      ...{ app_id, share: limiter.share(app_id), after_webhook_id: lastWebhooks.get(app_id) ?? NIL_UUID },
    }));
  }

  function noteBacklogged(rows: readonly ClaimedDelivery[], known: readonly WebhookCapacity[]): void {
    for (const { webhook_id, capacity } of known) if (capacity > 0) backlogged.delete(webhook_id);
    const capacityOf = new Map(known.map(({ webhook_id, capacity }) => [webhook_id, capacity]));
    for (const [id, own] of Map.groupBy(rows, ({ webhook_id }) => webhook_id)) {
      if (own.length >= (capacityOf.get(id) ?? INITIAL_LIMIT)) backlogged.add(id);
    }
  }

  /** True: an application had nothing more behind the webhook that it ended at, and begins anew. */
  function noteLastWebhooks(rows: readonly ClaimedDelivery[], limit: number): boolean {
    const byApp = Map.groupBy(rows, ({ app_id }) => app_id);
    const cut = rows.length >= limit ? lastOf([...byApp.keys()]) : undefined;
    const passed = [...lastWebhooks.keys()].filter((appId) => limiter.share(appId) > 0);
    for (const appId of passed) lastWebhooks.delete(appId);
    for (const [appId, own] of byApp) {
      if (own.length < limiter.share(appId) && appId !== cut) continue;
      lastWebhooks.set(appId, lastOf(own.map(({ webhook_id }) => webhook_id)));
    }
    return passed.some((appId) => !lastWebhooks.has(appId));
  }

  function begin(row: ClaimedDelivery): void {
    limiter.begin(row);
    const work: Promise<void> = attempt(row).then(({ quick }) => {
      limiter.end(row, quick);
      running.delete(work);
      if (isWorthAClaim(row) || limiter.free() === 1) wake();
    });
    running.add(work);
  }

  function isWorthAClaim({ app_id, webhook_id }: ClaimedDelivery): boolean {
    if (lastWebhooks.has(app_id)) return limiter.share(app_id) >= MIN_SHARE_TO_CLAIM;
    return backlogged.has(webhook_id) && limiter.isHalfFree(webhook_id);
  }

  async function fill(): Promise<void> {
    do {
      claimAgain = false;
      try {
        await claim();
      } catch (error) {
        log.warn({ error }, 'deliveries cannot be claimed');
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

/** The last one in the order in which the database has ids. */
function lastOf(ids: readonly string[]): string {
  return ids.reduce((last, id) => (id > last ? id : last), NIL_UUID);
}
