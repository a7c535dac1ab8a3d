import type { OutboxRow } from '@parley/kit/durable/outbox';
import { rowParameters } from '../row-parameters.ts';
import { WRITE_CONDITION, type Statement } from '../statement.ts';

/** `live`: subjects that are separated by spaces. `headers`: JSON. */
export type OutboxValues = Pick<OutboxRow, 'id' | 'subject' | 'payload'> & { live: string; headers: string };

const ROW = rowParameters<OutboxValues>('row', {
  id: 'uuid',
  subject: 'text',
  live: 'text',
  payload: 'bytea',
  headers: 'text',
});

/** Inserts into the outbox as part of a larger statement. */
export function insertOutbox(rows: readonly OutboxRow[]): Statement | undefined {
  return rows.length === 0 ? undefined : insertOutboxValues(rows.map(outboxValues));
}

export function insertOutboxValues(values: readonly OutboxValues[]): Statement {
  const row = ROW.of(values);
  return {
    name: `insert_outbox${row.suffix}`,
    text: `
      insert into outbox (id, subject, live, payload, headers)
      select row.id, row.subject, string_to_array(row.live, ' '), row.payload, row.headers
      from ${row.sql}
      where ${WRITE_CONDITION}`,
    values: row.values,
  };
}

export function outboxValues({ id, subject, live, payload, headers }: OutboxRow): OutboxValues {
  return { id, subject, live: live.join(' '), payload, headers: JSON.stringify(headers) };
}
