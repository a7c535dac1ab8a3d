import type { Sql, Tx } from '@parley/kit/postgres';

const PARTITION_PREFIX = 'change_p';

/** The days, as `YYYYMMDD`, that have a partition of the change log. */
export async function listPartitionDays(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>({
    text: `
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'change'::regclass order by c.relname`,
  });
  return rows.flatMap(({ name }) => /^change_p(\d{8})$/.exec(name)?.[1] ?? []);
}

/** Locks partitions, so that only one transaction at a time adds or drops them. `cell`: the name of the cell, since several may be in one database. */
export async function lockPartitions(tx: Tx, cell: string | undefined): Promise<void> {
  const name = cell === undefined ? 'change_partitions' : `${cell} change_partitions`;
  await tx.execute({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] });
}

/**
 * Adds the partition of a day, and moves the day's rows from the default partition into it. The partition is attached
 * rather than created in place, so that writers of other days continue meanwhile. For a day that is being written it is
 * too late: writers that wait for the default partition fail.
 */
export async function addPartition(
  tx: Tx,
  { day, from, to }: { day: string; from: Date; to: Date },
): Promise<void> {
  const name = partitionName(day);
  const [first, end] = [from.toISOString(), to.toISOString()];
  await tx.execute({ text: 'lock table change_default in access exclusive mode' });
  await tx.execute({ text: `create table ${name} (like change including all)` });
  await tx.execute({
    text: `
      with moved as (delete from change_default where created_at >= $1 and created_at < $2 returning *)
      insert into ${name} select * from moved`,
    values: [first, end],
  });
  await tx.execute({
    text: `alter table change attach partition ${name} for values from ('${first}') to ('${end}')`,
  });
}

export async function dropPartition(tx: Tx, day: string): Promise<void> {
  await tx.execute({ text: `drop table ${partitionName(day)}` });
}

/** Deletes from the default partition, which holds rows that were written when their day had no partition. */
export function deleteUnpartitioned(sql: Sql, before: number): Promise<number> {
  return sql.execute({
    text: 'delete from change_default where created_at < to_timestamp($1::float8 / 1000)',
    values: [before],
  });
}

/**
 * A statement that waits for a lock here blocks every writer behind it, so it gives up soon and is tried again later.
 */
export async function limitLockWait(tx: Tx): Promise<void> {
  await tx.execute({ text: `set local lock_timeout = '300ms'` });
}

function partitionName(day: string): string {
  if (!/^\d{8}$/.test(day)) throw new TypeError(`not a day: ${day}`);
  return PARTITION_PREFIX + day;
}
