import type { Sql, Tx } from '../../postgres/index.ts';
import { createWorkQueue, type Leased } from '../work/queue.ts';

/** Tables of every service that holds rows of applications: deleted applications, and those still being removed. */
export const APP_REMOVAL_TABLES_SQL = `
create table app_tombstone (
  app_id uuid primary key,
  deleted_at timestamptz not null
);
create table app_removal (
  app_id uuid primary key,
  at_table text not null default '',
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0
);
create index app_removal_by_turn on app_removal (app_id, due_at);
create index app_removal_by_time on app_removal (due_at);
`;

export type Removal = Leased & {
  /** The table being emptied; empty at the beginning of a pass. */
  at_table: string;
};

export const REMOVAL_QUEUE = createWorkQueue<Removal>({
  table: 'app_removal',
  key: ['app_id'],
  columns: ['at_table'],
  order: [],
});

export type AppTable = {
  table: string;
  /** The columns after `app_id` in an index: rows are deleted in its order. */
  order: readonly string[];
  /** The rows to delete, as SQL with the application's id as `$1`. Default: `app_id = $1`. */
  where?: string;
  /** Whether rows must be deleted from each partition. */
  isPartitioned?: boolean;
};

const SUBJECT_IS_OF_APP = `split_part(subject, '.', 2) = $1::uuid::text`;

/** Dead letters name the application only in their subject; there are few of them. */
export const DEAD_LETTER_TABLE: AppTable = {
  table: 'dead_letter',
  order: ['consumer', 'event_id'],
  where: SUBJECT_IS_OF_APP,
};

/** Dead letters of a service's outbox, which name the application in the same way. */
export const OUTBOX_DEAD_LETTER_TABLE: AppTable = {
  table: 'outbox_dead_letter',
  order: ['id'],
  where: SUBJECT_IS_OF_APP,
};

/** Records deleted applications. Returns, in order, those that were not recorded before. */
export async function insertTombstones(
  tx: Tx,
  { appIds, at, dueAt }: { appIds: readonly string[]; at: number; dueAt: number },
): Promise<string[]> {
  const rows = await tx.query<{ app_id: string }>({
    name: 'insert_tombstones',
    text: `
      with noted as (
        insert into app_tombstone (app_id, deleted_at)
        select distinct app_id, to_timestamp($2::float8 / 1000) from unnest($1::uuid[]) as app (app_id) order by app_id
        on conflict do nothing returning app_id
      ), queued as (
        insert into app_removal (app_id, due_at)
        select app_id, to_timestamp($3::float8 / 1000) from noted order by app_id on conflict do nothing
      )
      select app_id from noted order by app_id`,
    values: [appIds, at, dueAt],
  });
  return rows.map(({ app_id }) => app_id);
}

/** The deleted applications among `appIds`. */
export async function listDeletedApps(sql: Sql, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ app_id: string }>({
    name: 'list_deleted_apps',
    text: 'select app_id from app_tombstone where app_id = any ($1::uuid[])',
    values: [appIds],
  });
  return new Set(rows.map(({ app_id }) => app_id));
}

export async function moveRemoval(tx: Tx, appId: string, atTable: string): Promise<void> {
  await tx.execute({
    name: 'move_app_removal',
    text: 'update app_removal set at_table = $2 where app_id = $1 and at_table <> $2',
    values: [appId, atTable],
  });
}

/** Deletes at most `limit` rows of an application from a table; returns how many. */
export async function deleteRowsOfApp(
  tx: Tx,
  { table, appId, limit }: { table: AppTable; appId: string; limit: number },
): Promise<number> {
  let deleted = 0;
  for (const name of table.isPartitioned ? await listPartitions(tx, table.table) : [table.table]) {
    if (deleted >= limit) break;
    const text = deletionFrom(name, table);
    deleted += await tx.execute({ name: `remove_app_${name}`, text, values: [appId, limit - deleted] });
  }
  return deleted;
}

function deletionFrom(name: string, { order, where }: AppTable): string {
  const condition = where ?? 'app_id = $1';
  const sorted = (where === undefined ? ['app_id', ...order] : order).join(', ');
  return `
    delete from ${name} where ${condition} and ctid = any (array(
      select ctid from ${name} where ${condition} order by ${sorted} limit $2))`;
}

async function listPartitions(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>({
    name: 'list_partitions',
    // A movable cell has a view in place of each partition.
    text: `
      select quote_ident(c.relname) as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and (
        exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhparent = $1::text::regclass)
        or c.relkind = 'v' and c.relname ~ ('^' || $1 || '_(p[0-9]+|default)$'))
      order by 1`,
    values: [table],
  });
  return rows.map(({ name }) => name);
}
