import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';

/** The follower (owner) and the followed user (target). */
export type FollowPair = { appId: string; ownerId: string; targetId: string };

/** Records the owner's decision in place of any earlier one. */
export async function upsertFollow(
  sql: Sql,
  pair: FollowPair & { followed: boolean; now: number },
): Promise<void> {
  await sql.execute({
    name: 'upsert_follow',
    text: `
      insert into follow (app_id, owner_user_id, target_user_id, followed, decided_at)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
      on conflict (app_id, owner_user_id, target_user_id) do update
      set followed = excluded.followed, decided_at = greatest(follow.decided_at, excluded.decided_at)`,
    values: [pair.appId, pair.ownerId, pair.targetId, pair.followed, pair.now],
  });
}

/** Whether the owner has ever decided about the target. */
export async function hasFollowRow(sql: Sql, pair: FollowPair): Promise<boolean> {
  const rows = await sql.query({
    text: `select from follow where app_id = $1 and owner_user_id = $2 and target_user_id = $3`,
    values: [pair.appId, pair.ownerId, pair.targetId],
  });
  return rows.length > 0;
}

export type NewFollowRequest = {
  id: string;
  appId: string;
  ownerId: string;
  targetIds: string[];
  requestedAt: number;
};

/** Queues follow requests. */
export async function insertFollowRequests(sql: Sql, requests: readonly NewFollowRequest[]): Promise<void> {
  await sql.execute({
    text: `
      insert into follow_request (id, app_id, owner_user_id, target_user_ids, requested_at)
      select id, app_id, owner_user_id, array(select json_array_elements_text(target_user_ids)),
        to_timestamp(requested_at / 1000)
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[], $5::float8[])
        as request (id, app_id, owner_user_id, target_user_ids, requested_at)`,
    values: [
      requests.map(({ id }) => id),
      requests.map(({ appId }) => appId),
      requests.map(({ ownerId }) => ownerId),
      requests.map(({ targetIds }) => JSON.stringify(targetIds)),
      requests.map(({ requestedAt }) => requestedAt),
    ],
  });
}

/** A leased request. */
export type FollowRequest = Leased & {
  id: string;
  owner_user_id: string;
  target_user_ids: string[];
  requested_at: number;
};

export const followRequestQueue = createWorkQueue<FollowRequest>({
  table: 'follow_request',
  key: ['app_id', 'id'],
  columns: ['owner_user_id', 'target_user_ids', 'requested_at'],
  order: ['id'],
});

/** Follows the targets of a request, except those about whom the owner has decided since. */
export async function followRequested(
  sql: Sql,
  { appId, ownerId, targetIds, requestedAt }: Omit<NewFollowRequest, 'id'>,
): Promise<void> {
  await sql.execute({
    name: 'follow_requested',
    text: `
      insert into follow (app_id, owner_user_id, target_user_id, followed, decided_at)
      select $1::uuid, $2::text, target.user_id, true, to_timestamp($4::float8 / 1000)
      from unnest($3::text[]) as target (user_id) order by target.user_id
      on conflict (app_id, owner_user_id, target_user_id) do update
      set followed = true, decided_at = excluded.decided_at where excluded.decided_at >= follow.decided_at`,
    values: [appId, ownerId, targetIds, requestedAt],
  });
}

/** Deletes the decisions of a user and about them, and their queued follow requests. */
export async function deleteFollows(sql: Sql, appId: string, userId: string): Promise<void> {
  const values = [appId, userId];
  await sql.execute({
    text: `
      delete from follow
      where app_id = $1 and (owner_user_id = $2 or target_user_id = $2) and ctid = any (array(
        select ctid from follow where app_id = $1 and (owner_user_id = $2 or target_user_id = $2)
        order by owner_user_id, target_user_id for update))`,
    values,
  });
  // A request that is being carried out is skipped: it locks the identity after its own row and finds that the owner
  // is gone.
  await sql.execute({
    text: `
      delete from follow_request where app_id = $1 and owner_user_id = $2 and ctid = any (array(
        select ctid from follow_request where app_id = $1 and owner_user_id = $2 for update skip locked))`,
    values,
  });
  // Users who wait to follow the erased person do not follow the next one.
  await sql.execute({
    text: `
      update follow_request set target_user_ids = array_remove(target_user_ids, $2::text)
      where app_id = $1 and ctid = any (array(
        select ctid from follow_request where app_id = $1 and $2 = any (target_user_ids) for update skip locked))`,
    values,
  });
}
