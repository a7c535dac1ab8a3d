import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/work-queue';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';

export type NewExpansion = { event: Event; bytes: Uint8Array; webhookIds: readonly string[] };

export async function insertExpansion(sql: Sql, { event, bytes, webhookIds }: NewExpansion): Promise<void> {
  await sql.execute({
    text: `
      insert into expansion (app_id, event_id, event, webhook_ids) values ($1, $2, $3, $4)
      on conflict do nothing`,
    values: [event.appId, event.id, bytes, webhookIds],
  });
}

export type Expansion = Leased & {
  event_id: string;
  /** parley.event.v1.Event */
  event: Uint8Array;
  webhook_ids: string[];
  next_position: number;
};

export const expansionQueue = createWorkQueue<Expansion>({
  table: 'expansion',
  key: ['app_id', 'event_id'],
  columns: ['event', 'webhook_ids', 'next_position'],
  order: ['event_id'],
});

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
