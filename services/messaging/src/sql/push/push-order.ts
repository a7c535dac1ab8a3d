import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';

export type PushOrderRow = Leased & {
  event_id: string;
  /** parley.event.v1.Event: the message or notification to push. */
  event: Uint8Array;
  /** Recipients up to this user id, in JavaScript's order of strings, have their pushes. */
  made_until: string;
};

export const pushQueue = createWorkQueue<PushOrderRow>({
  table: 'push_order',
  key: ['app_id', 'event_id'],
  columns: ['event', 'made_until'],
  order: ['event_id'],
});

export type NewPushOrder = { appId: string; eventId: string; event: Uint8Array };

export async function insertPushOrders(sql: Sql, orders: readonly NewPushOrder[]): Promise<void> {
  await sql.execute({
    name: 'insert_push_orders',
    text: `
      insert into push_order (app_id, event_id, event)
      select * from unnest($1::uuid[], $2::uuid[], $3::bytea[]) on conflict do nothing`,
    values: [
      orders.map(({ appId }) => appId),
      orders.map(({ eventId }) => eventId),
      orders.map(({ event }) => event),
    ],
  });
}

export async function advancePushOrder(
  sql: Sql,
  { app_id, event_id }: PushOrderRow,
  madeUntil: string,
): Promise<void> {
  await sql.execute({
    text: 'update push_order set made_until = $3 where app_id = $1 and event_id = $2',
    values: [app_id, event_id, madeUntil],
  });
}
