import { toBinary } from '@bufbuild/protobuf';
import type { Notice } from '@parley/domain/json/webhook-body';
import type { Sql } from '@parley/kit/postgres';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { subjectOf } from '../notices/expand.ts';
import { insertMoved } from './delivery-count.ts';

/** Those that are there already stay as they are. */
export async function insertNotices(sql: Sql, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await sql.execute({
    name: 'insert_notices',
    text: `
      insert into notice (app_id, id, type, event_at, subject_user_id, event)
      select row.app_id, row.id, row.type, to_timestamp(row.event_at / 1000), row.subject_user_id, row.event
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::text[], $6::bytea[])
        as row (app_id, id, type, event_at, subject_user_id, event)
      order by row.app_id, row.id
      on conflict do nothing`,
    values: [
      notices.map(({ event }) => event.appId),
      notices.map(({ event }) => event.id),
      notices.map(({ type }) => type),
      notices.map(({ event }) => event.createdAt),
      notices.map(({ event }) => subjectOf(event) ?? null),
      notices.map(({ event }) => toBinary(EventSchema, event)),
    ],
  });
}

export type ErasedPerson = { appId: string; userId: string };

/** Before their notices are erased: deliveries are locked in the order of their keys and before notices, as elsewhere. */
export async function lockDeliveriesAbout(sql: Sql, persons: readonly ErasedPerson[]): Promise<void> {
  await sql.execute({
    text: `
      select from unnest($1::uuid[], $2::text[]) as person (app_id, user_id)
      join notice n on n.app_id = person.app_id and n.subject_user_id = person.user_id
      join delivery d on d.app_id = n.app_id and d.notice_id = n.id
      order by d.app_id, d.webhook_id, d.id for update of d`,
    values: [persons.map(({ appId }) => appId), persons.map(({ userId }) => userId)],
  });
}

/** Nothing of an erased person is kept, nor sent from then on. */
export async function eraseNotices(sql: Sql, { appId, userId }: ErasedPerson): Promise<void> {
  await sql.execute({
    text: `
      with gone as (
        delete from notice where app_id = $1 and subject_user_id = $2 returning id
      ), dropped as (
        delete from delivery d using gone where d.app_id = $1 and d.notice_id = gone.id
        returning d.app_id, d.webhook_id, d.status
      ), moved as (select app_id, webhook_id, status, -1 as delta from dropped)
      ${insertMoved}`,
    values: [appId, userId],
  });
}
