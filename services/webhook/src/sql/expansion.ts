import { toBinary } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { subjectOf } from './notice-subject.ts';

/** `traceparent`: of the request that led to the event, if that is traced. */
export type NewExpansion = {
  event: Event;
  webhookIds: readonly string[];
  traceparent?: string | undefined;
};

/** Queues an event whose notices a timer makes. */
export async function insertExpansion(
  sql: Sql,
  { event, webhookIds, traceparent }: NewExpansion,
): Promise<void> {
  await sql.execute({
    name: 'insert_expansion',
    text: `
      insert into expansion (app_id, event_id, event, webhook_ids, subject_user_id, event_at,
        subject_incarnation, traceparent)
      values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), nullif($7::float8, 0), $8)
      on conflict do nothing`,
    values: [
      event.appId,
      event.id,
      toBinary(EventSchema, event),
      webhookIds,
      subjectOf(event)?.userId ?? null,
      event.createdAt,
      subjectOf(event)?.incarnation ?? 0,
      traceparent ?? null,
    ],
  });
}

export type Expansion = Leased & {
  event_id: string;
  /** parley.event.v1.Event */
  event: Uint8Array;
  webhook_ids: string[];
  /** Next position of “mark all read”; for other events the number of notices that are made. */
  next_position: number;
  traceparent: string | null;
};

export const expansionQueue = createWorkQueue<Expansion>({
  table: 'expansion',
  key: ['app_id', 'event_id'],
  columns: ['event', 'webhook_ids', 'next_position', 'traceparent'],
  order: ['event_id'],
});

/** Records how far an event is expanded. */
export async function advanceExpansion(
  sql: Sql,
  { app_id, event_id }: Expansion,
  next: number,
): Promise<void> {
  await sql.execute({
    text: 'update expansion set next_position = $3 where app_id = $1 and event_id = $2',
    values: [app_id, event_id, next],
  });
}
