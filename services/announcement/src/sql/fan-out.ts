import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';

export type NewSlice = {
  appId: string;
  announcementId: string;
  /** 0, 1, 2 … */
  slice: number;
  sentAt: number;
  userIds: string[];
  /** The users among `userIds` who were erased and came back, and their incarnations. */
  returnedUserIds: string[];
  returnedIncarnations: number[];
};

/** Queues slices of recipients. */
export async function insertFanOut(sql: Sql, slices: readonly NewSlice[]): Promise<void> {
  await sql.execute({
    name: 'insert_fan_out',
    text: `
      insert into fan_out (app_id, announcement_id, slice, sent_at, user_ids, returned_user_ids, returned_incarnations)
      select app_id, announcement_id, slice, to_timestamp(sent_at / 1000),
        array(select json_array_elements_text(user_ids)), array(select json_array_elements_text(returned_user_ids)),
        array(select json_array_elements_text(returned_incarnations)::float8)
      from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::float8[], $5::json[], $6::json[], $7::json[])
        as row (app_id, announcement_id, slice, sent_at, user_ids, returned_user_ids, returned_incarnations)`,
    values: [
      slices.map(({ appId }) => appId),
      slices.map(({ announcementId }) => announcementId),
      slices.map(({ slice }) => slice),
      slices.map(({ sentAt }) => sentAt),
      slices.map(({ userIds }) => JSON.stringify(userIds)),
      slices.map(({ returnedUserIds }) => JSON.stringify(returnedUserIds)),
      slices.map(({ returnedIncarnations }) => JSON.stringify(returnedIncarnations)),
    ],
  });
}

/** A leased slice. */
export type FanOutItem = Leased & {
  announcement_id: string;
  slice: number;
  user_ids: string[];
  returned_user_ids: string[];
  returned_incarnations: number[];
};

export const fanOutQueue = createWorkQueue<FanOutItem>({
  table: 'fan_out',
  key: ['app_id', 'announcement_id', 'slice'],
  columns: ['user_ids', 'returned_user_ids', 'returned_incarnations'],
  order: ['sent_at', 'announcement_id', 'slice'],
});

/** Drops the queued slices of a withdrawn announcement. */
export async function deleteFanOut(sql: Sql, appId: string, announcementId: string): Promise<void> {
  await sql.execute({
    text: `delete from fan_out where app_id = $1 and announcement_id = $2`,
    values: [appId, announcementId],
  });
}

export type ReceivedPosition = { user_id: string; position: number };

/** Inserts an announcement for each user, at the user's next position, and counts it as listed and unread. */
export function insertReceived(
  sql: Sql,
  delivered: Omit<NewSlice, 'slice' | 'sentAt'> & { now: number },
): Promise<ReceivedPosition[]> {
  return sql.query<ReceivedPosition>({
    name: 'insert_received',
    text: `
      with place as (
        insert into inbox (app_id, user_id, head, listed, unread)
        select $1::uuid, user_id, 1, 1, 1 from unnest($3::text[]) as recipient (user_id) order by user_id
        on conflict (app_id, user_id) do update
        set head = inbox.head + 1, listed = inbox.listed + 1, unread = inbox.unread + 1
        returning user_id, head
      )
      insert into received (app_id, user_id, position, announcement_id, received_at, changed_at,
        incarnation)
      select $1::uuid, user_id, head, $2::uuid, to_timestamp($4::float8 / 1000), to_timestamp($4::float8 / 1000),
        returned.incarnation
      from place
      left join unnest($5::text[], $6::float8[]) as returned (user_id, incarnation) using (user_id)
      returning user_id, position`,
    values: [
      delivered.appId,
      delivered.announcementId,
      delivered.userIds,
      delivered.now,
      delivered.returnedUserIds,
      delivered.returnedIncarnations,
    ],
  });
}
