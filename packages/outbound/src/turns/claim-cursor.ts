import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { AppShare, Claim, ClaimedDelivery, WebhookCapacity } from '../sql/delivery-claim.ts';
import { INITIAL_LIMIT, type DeliveryLimiter } from './concurrency-limiter.ts';

/** What a claim asks for, besides the worker and the time. */
export type ClaimRequest = Omit<Claim, 'worker' | 'now'>;

/** Remembers where the next claim continues: claims go round the applications, and in each round its webhooks. */
export type ClaimCursor = {
  /** The next claim, of at most `limit` deliveries. */
  next(limit: number): ClaimRequest;
  /** Notes the result of a claim. True: another claim may find more. */
  advance(rows: readonly ClaimedDelivery[], request: ClaimRequest): boolean;
  /** Whether a delivery has freed so much that a claim is worth its statement. */
  isWorthAClaim(delivery: ClaimedDelivery): boolean;
};

/** How much of its share an application must have free for a claim to be worth its statement. */
const MIN_SHARE_TO_CLAIM = 4;

/** `limiter` knows how many deliveries are in progress. */
export function createClaimCursor(limiter: DeliveryLimiter): ClaimCursor {
  // Webhooks whose last claim took their whole capacity.
  const backlogged = new Set<string>();
  // Applications whose last claim took their whole share, with the webhook at which it ended.
  const lastWebhooks = new Map<string, string>();
  let after = NIL_UUID;

  function shareOf(appId: string): AppShare {
    return {
      appId,
      share: limiter.share(appId),
      afterWebhookId: lastWebhooks.get(appId) ?? NIL_UUID,
    };
  }

  function noteBacklogged(rows: readonly ClaimedDelivery[], capacities: readonly WebhookCapacity[]): void {
    for (const { webhookId, capacity } of capacities) if (capacity > 0) backlogged.delete(webhookId);
    const capacityOf = new Map(capacities.map(({ webhookId, capacity }) => [webhookId, capacity]));
    for (const [id, own] of Map.groupBy(rows, ({ webhook_id }) => webhook_id)) {
      if (own.length >= (capacityOf.get(id) ?? INITIAL_LIMIT)) backlogged.add(id);
    }
  }

  /** True when an application had nothing more behind its last webhook, and begins at its first one again. */
  function noteLastWebhooks(rows: readonly ClaimedDelivery[], limit: number): boolean {
    const byApp = Map.groupBy(rows, ({ app_id }) => app_id);
    const cutOff = rows.length >= limit ? lastOf([...byApp.keys()]) : undefined;
    const continued = [...lastWebhooks.keys()].filter((appId) => limiter.share(appId) > 0);
    for (const appId of continued) lastWebhooks.delete(appId);
    for (const [appId, own] of byApp) {
      if (own.length < limiter.share(appId) && appId !== cutOff) continue;
      lastWebhooks.set(appId, lastOf(own.map(({ webhook_id }) => webhook_id)));
    }
    return continued.some((appId) => !lastWebhooks.has(appId));
  }

  return {
    next(limit) {
      const appIds = new Set([...limiter.listShares().map(({ appId }) => appId), ...lastWebhooks.keys()]);
      return {
        after,
        limit,
        capacities: limiter.listCapacities(),
        capacity: INITIAL_LIMIT,
        shares: [...appIds].map(shareOf),
        share: limiter.share(),
      };
    },
    advance(rows, { limit, capacities }) {
      noteBacklogged(rows, capacities);
      const isRestarted = noteLastWebhooks(rows, limit);
      const mayFindMore = rows.length >= limit || after !== NIL_UUID || isRestarted;
      after = rows.length >= limit ? lastOf(rows.map(({ app_id }) => app_id)) : NIL_UUID;
      return mayFindMore;
    },
    isWorthAClaim({ app_id, webhook_id }) {
      if (lastWebhooks.has(app_id)) return limiter.share(app_id) >= MIN_SHARE_TO_CLAIM;
      return backlogged.has(webhook_id) && limiter.isHalfFree(webhook_id);
    },
  };
}

/** The last id in the database's order. */
function lastOf(ids: readonly string[]): string {
  return ids.reduce((last, id) => (id > last ? id : last), NIL_UUID);
}
