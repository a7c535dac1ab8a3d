import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';

export type FollowerNotice = Leased & {
  event_id: string;
  /** parley.event.v1.Event */
  event: Uint8Array;
  /** Followers up to this user id have been notified. */
  told_until: string;
};

export const followerNoticeQueue = createWorkQueue<FollowerNotice>({
  table: 'follower_notice',
  key: ['app_id', 'event_id'],
  columns: ['event', 'told_until'],
  order: ['event_id'],
});

export type NewFollowerNotice = { appId: string; eventId: string; userId: string; event: Uint8Array };

/** Queues changes of identities for the users' followers. */
export async function insertFollowerNotices(sql: Sql, notices: readonly NewFollowerNotice[]): Promise<void> {
  await sql.execute({
    name: 'insert_follower_notices',
    text: `
      insert into follower_notice (app_id, event_id, user_id, event)
      select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) on conflict do nothing`,
    values: [
      notices.map(({ appId }) => appId),
      notices.map(({ eventId }) => eventId),
      notices.map(({ userId }) => userId),
      notices.map(({ event }) => event),
    ],
  });
}

/** Records up to which follower a notice has been published. */
export async function advanceFollowerNotice(
  sql: Sql,
  { appId, eventId, toldUntil }: { appId: string; eventId: string; toldUntil: string },
): Promise<void> {
  await sql.execute({
    text: 'update follower_notice set told_until = $3 where app_id = $1 and event_id = $2',
    values: [appId, eventId, toldUntil],
  });
}

/** Deletes the queued changes of a user who is being erased. */
export async function deleteFollowerNotices(sql: Sql, appId: string, userId: string): Promise<void> {
  await sql.execute({
    text: 'delete from follower_notice where app_id = $1 and user_id = $2',
    values: [appId, userId],
  });
}
