import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { ClaimRequest } from './claim.ts';
import { jsonByKey } from './json-by-key.ts';

/** The table `delivery`, as a claim has to know it. */
export type ClaimedTable = {
  /** The column of the target. An index has the waiting deliveries by application, target and `due_at`. */
  target: string;
  /** SQL: the condition of that index. */
  waiting: string;
  /** SQL: a join that keeps the rows of `waiting` whose targets get deliveries now; by default all do. */
  joinTarget?: string;
  /** SQL: columns of the chosen deliveries besides their key. */
  columns?: string;
};

export type Claim = ClaimRequest & { worker: string; now: number };

/**
 * SQL: `with … chosen as (…)`, the due deliveries that a claim is to get, application by application and within each target by
 * target, up to their shares and capacities. It skips from target to target in an index of waiting deliveries only, so its cost
 * grows with the number of targets that have any, not with the number of deliveries. Shares and capacities come as JSON
 * objects, in which Postgres finds a key at once: joined as rows, 300 targets cost 90,000 comparisons. `claimValues` are its
 * parameters.
 */
export function chooseDueDeliveries(table: ClaimedTable): string {
  const { target, waiting } = table;
  return `
      with recursive app as (
        (select app_id from delivery where ${waiting} and app_id > $3::uuid
          order by app_id, ${target}, due_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select d.app_id from delivery d where ${waiting} and d.app_id > app.app_id
          order by d.app_id, d.${target}, d.due_at limit 1) next
      ), chosen as (
        select taken.* from app
        cross join lateral (${dueDeliveriesOfApp(table)}
          limit coalesce(($7::jsonb ->> app.app_id::text)::int8, $9)) taken
        limit $4
      )`;
}

/** The parameters of `chooseDueDeliveries`; `$1` is the worker. */
export function claimValues(claim: Claim): (string | number)[] {
  return [
    claim.worker,
    claim.now,
    claim.after,
    claim.limit,
    jsonByKey(claim.capacities, ({ targetId, capacity }) => [targetId, capacity]),
    claim.capacity,
    jsonByKey(claim.shares, ({ appId, share }) => [appId, share]),
    jsonByKey(claim.shares, ({ appId, afterTargetId }) => [appId, afterTargetId]),
    claim.share,
  ];
}

/** SQL: due deliveries of the application `app`, of each target up to its capacity, after the target at which the last claim ended. */
function dueDeliveriesOfApp({ target, waiting, joinTarget = '', columns = '' }: ClaimedTable): string {
  return `
          with recursive waiting as (
            (select ${target} from delivery
              where ${waiting} and app_id = app.app_id
                and ${target} > coalesce(($8::jsonb ->> app.app_id::text)::uuid, '${NIL_UUID}')
              order by app_id, ${target}, due_at limit 1)
            union all
            select next.${target} from waiting cross join lateral (
              select d.${target} from delivery d
              where ${waiting} and d.app_id = app.app_id and d.${target} > waiting.${target}
              order by d.app_id, d.${target}, d.due_at limit 1) next
          )
          select due.* from waiting ${joinTarget}
          cross join lateral (
            select d.app_id, d.${target}, d.id${columns && `, ${columns}`} from delivery d
            where d.app_id = app.app_id and d.${target} = waiting.${target} and ${waiting}
              and d.due_at <= to_timestamp($2::float8 / 1000)
            order by d.due_at limit coalesce(($5::jsonb ->> waiting.${target}::text)::int8, $6)
            for no key update skip locked) due`;
}
