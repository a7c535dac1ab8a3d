import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { AppShare, ClaimRequest, TargetCapacity } from './claim.ts';
import type { DeliveryLimiter, DeliveryOwner } from './concurrency-limiter.ts';

/** Remembers where the next claim continues: claims go round the applications, and in each round its targets. */
export type ClaimCursor = {
  /** The next claim, of at most `limit` deliveries. */
  next(limit: number): ClaimRequest;
  /** Notes the result of a claim. True: another claim may find more. */
  advance(rows: readonly DeliveryOwner[], request: ClaimRequest): boolean;
  /** Whether a delivery has freed so much that a claim is worth its statement. */
  isWorthAClaim(delivery: DeliveryOwner): boolean;
};

/** How much of its share an application must have free for a claim to be worth its statement. */
const MIN_SHARE_TO_CLAIM = 4;

/** `limiter` knows how many deliveries are in progress. */
export function createClaimCursor(limiter: DeliveryLimiter): ClaimCursor {
  // Targets whose last claim took their whole capacity.
  const backlogged = new Set<string>();
  // Applications whose last claim took their whole share, with the target at which it ended.
  const lastTargets = new Map<string, string>();
  let after = NIL_UUID;

  function shareOf(appId: string): AppShare {
    return {
      appId,
      share: limiter.share(appId),
      afterTargetId: lastTargets.get(appId) ?? NIL_UUID,
    };
  }

  function noteBacklogged(rows: readonly DeliveryOwner[], capacities: readonly TargetCapacity[]): void {
    for (const { targetId, capacity } of capacities) if (capacity > 0) backlogged.delete(targetId);
    const capacityOf = new Map(capacities.map(({ targetId, capacity }) => [targetId, capacity]));
    for (const [id, own] of Map.groupBy(rows, ({ target_id }) => target_id)) {
      if (own.length >= (capacityOf.get(id) ?? limiter.initial)) backlogged.add(id);
    }
  }

  /** True when an application had nothing more behind its last target, and begins at its first one again. */
  function noteLastTargets(rows: readonly DeliveryOwner[], limit: number): boolean {
    const byApp = Map.groupBy(rows, ({ app_id }) => app_id);
    const cutOff = rows.length >= limit ? lastOf([...byApp.keys()]) : undefined;
    const continued = [...lastTargets.keys()].filter((appId) => limiter.share(appId) > 0);
    for (const appId of continued) lastTargets.delete(appId);
    for (const [appId, own] of byApp) {
      if (own.length < limiter.share(appId) && appId !== cutOff) continue;
      lastTargets.set(appId, lastOf(own.map(({ target_id }) => target_id)));
    }
    return continued.some((appId) => !lastTargets.has(appId));
  }

  return {
    next(limit) {
      const appIds = new Set([...limiter.listShares().map(({ appId }) => appId), ...lastTargets.keys()]);
      return {
        after,
        limit,
        capacities: limiter.listCapacities(),
        capacity: limiter.initial,
        shares: [...appIds].map(shareOf),
        share: limiter.share(),
      };
    },
    advance(rows, { limit, capacities }) {
      noteBacklogged(rows, capacities);
      const isRestarted = noteLastTargets(rows, limit);
      const mayFindMore = rows.length >= limit || after !== NIL_UUID || isRestarted;
      after = rows.length >= limit ? lastOf(rows.map(({ app_id }) => app_id)) : NIL_UUID;
      return mayFindMore;
    },
    isWorthAClaim({ app_id, target_id }) {
      if (lastTargets.has(app_id)) return limiter.share(app_id) >= MIN_SHARE_TO_CLAIM;
      return backlogged.has(target_id) && limiter.isHalfFree(target_id);
    },
  };
}

/** The last id in the database's order. */
function lastOf(ids: readonly string[]): string {
  return ids.reduce((last, id) => (id > last ? id : last), NIL_UUID);
}
