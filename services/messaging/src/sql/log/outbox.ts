import type { OutboxRow } from '@parley/kit/durable/outbox';
import { column, WRITE_CONDITION, type Statement } from '../statement.ts';

/** Inserts into the outbox as part of a larger statement. */
export function insertOutbox(rows: readonly OutboxRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'insert_outbox',
    text: `
      insert into outbox (id, subject, live, payload, headers)
      select id, subject, string_to_array(live, ' '), payload, headers
      from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::text[])
        as row (id, subject, live, payload, headers)
      where ${WRITE_CONDITION}`,
    values: [
      column(rows, 'id'),
      column(rows, 'subject'),
      rows.map((row) => row.live.join(' ')),
      column(rows, 'payload'),
      rows.map((row) => JSON.stringify(row.headers)),
    ],
  };
}
