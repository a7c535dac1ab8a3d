import type { Sql } from '@parley/kit/postgres';
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

export type ExpansionRow = {
  app_id: string;
  event_id: string;
  event: Uint8Array;
  webhook_ids: string[];
  next_position: number;
};

export function listExpansions(sql: Sql, limit: number): Promise<ExpansionRow[]> {
  return sql.query<ExpansionRow>({
    text: `select app_id, event_id, event, webhook_ids, next_position from expansion order by event_id limit $1`,
    values: [limit],
  });
}

/** Moves on, unless somebody else has: false then. */
export async function advanceExpansion(sql: Sql, expansion: ExpansionRow, next: number): Promise<boolean> {
  const changed = await sql.execute({
    text: `
      update expansion set next_position = $4 where app_id = $1 and event_id = $2 and next_position = $3`,
    values: [expansion.app_id, expansion.event_id, expansion.next_position, next],
  });
  return changed > 0;
}

export async function deleteExpansion(sql: Sql, { app_id, event_id }: ExpansionRow): Promise<void> {
  await sql.execute({
    text: 'delete from expansion where app_id = $1 and event_id = $2',
    values: [app_id, event_id],
  });
}
