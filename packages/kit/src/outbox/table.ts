import type { OutboxRow } from '../outbox.ts';
import type { Sql } from '../postgres.ts';

/** The table that every service with events has in its first migration. */
export const outboxTableSql = `
create table outbox (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null default clock_timestamp()
);
`;

const insertOne = {
  name: 'outbox_insert_one',
  text: 'insert into outbox (id, subject, live, payload, headers) values ($1, $2, $3, $4, $5)',
};
const insertMany = {
  name: 'outbox_insert_many',
  text: `
    insert into outbox (id, subject, live, payload, headers)
    select id, subject, string_to_array(live, ' '), payload, headers
    from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::text[]) as row (id, subject, live, payload, headers)`,
};
// A delete that a crash undoes only means that the row is published again: it need not wait for the disk.
const deleteMany = {
  name: 'outbox_delete',
  text: `
    with relaxed as (select set_config('synchronous_commit', 'off', true))
    delete from outbox using relaxed where id = any ($1::uuid[])`,
};
const listOlder = {
  name: 'outbox_list_older',
  text: `
    select id, subject, live, payload, headers from outbox
    where created_at <= clock_timestamp() - $1 * interval '1 millisecond' and id > $2
    order by id limit $3`,
};

export async function insertRows(sql: Sql, rows: OutboxRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  if (rows.length === 1) {
    const { id, subject, live, payload, headers } = first;
    await sql.execute({ ...insertOne, values: [id, subject, live, payload, JSON.stringify(headers)] });
    return;
  }
  const live = rows.map((row) => row.live.join(' '));
  const headers = rows.map((row) => JSON.stringify(row.headers));
  const column = <K extends keyof OutboxRow>(key: K): OutboxRow[K][] => rows.map((row) => row[key]);
  await sql.execute({
    ...insertMany,
    values: [column('id'), column('subject'), live, column('payload'), headers],
  });
}

export async function deleteRows(sql: Sql, ids: string[]): Promise<void> {
  await sql.execute({ ...deleteMany, values: [ids] });
}

export async function listRowsOlder(
  sql: Sql,
  ageMs: number,
  page: { after: string; limit: number },
): Promise<OutboxRow[]> {
  const rows = await sql.query<Omit<OutboxRow, 'headers'> & { headers: string }>({
    ...listOlder,
    values: [ageMs, page.after, page.limit],
  });
  return rows.map((row) => ({ ...row, headers: JSON.parse(row.headers) as Record<string, string> }));
}
