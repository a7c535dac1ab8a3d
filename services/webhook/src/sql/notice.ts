import { toBinary } from '@parley/codec';
import type { Notice } from '@parley/domain/json/webhook-body';
import type { JsonObject } from '@bufbuild/protobuf';
import type { WebhookEvent } from '@parley/domain/events/webhook-events';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { DeliveryKey } from './delivery.ts';
import { erasureOfNotice } from './erasure.ts';
import { subjectOf } from './notice-subject.ts';

export type NewNotice = Notice & { traceparent?: string | null | undefined };

/** Stores notices; existing ones are unchanged. */
export async function insertNotices(sql: Sql, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await sql.execute({
    name: 'insert_notices',
    text: `
      insert into notice (app_id, id, type, event_at, subject_user_id, event, subject_incarnation, traceparent)
      select row.app_id, row.id, row.type, to_timestamp(row.event_at / 1000), row.subject_user_id, row.event,
        nullif(row.subject_incarnation, 0), row.traceparent
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::text[], $6::bytea[], $7::float8[],
        $8::text[]) as row (app_id, id, type, event_at, subject_user_id, event, subject_incarnation, traceparent)
      order by row.app_id, row.id
      on conflict do nothing`,
    values: [
      notices.map(({ event }) => event.appId),
      notices.map(({ event }) => event.id),
      notices.map(({ type }) => type),
      notices.map(({ event }) => event.createdAt),
      notices.map(({ event }) => subjectOf(event)?.userId ?? null),
      notices.map(({ event }) => toBinary(EventSchema, event)),
      notices.map(({ event }) => subjectOf(event)?.incarnation ?? 0),
      notices.map(({ traceparent }) => traceparent ?? null),
    ],
  });
}

export type NoticeOfDelivery = {
  app_id: string;
  type: WebhookEvent;
  /** parley.event.v1.Event */
  event: Uint8Array;
  /** Configuration of the webhook. */
  config: JsonObject | null;
};

/** The notice that a delivery sends, unless it is about an erased user. */
export async function findNoticeOfDelivery(
  sql: Sql,
  { appId, webhookId, id }: DeliveryKey,
): Promise<NoticeOfDelivery | undefined> {
  const [row] = await sql.query<NoticeOfDelivery>({
    text: `
      select n.app_id, n.type, n.event, w.config from delivery d
      join ${lookUp('webhook', 'w', 'w.app_id = d.app_id and w.id = d.webhook_id')} on true
      join ${lookUp('notice', 'n', 'n.app_id = d.app_id and n.id = d.notice_id')} on true
      where d.app_id = $1 and d.webhook_id = $2 and d.id = $3 and not exists (${erasureOfNotice('n')})`,
    values: [appId, webhookId, id],
  });
  return row;
}
