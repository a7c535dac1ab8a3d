import { createHash } from 'node:crypto';
import pg from 'pg';
import { retryForLocks, type LockWait } from './lock-wait.ts';

export type PartitionIndexOptions = {
  /** Names of the partitioned table's index that was created `on only` it. */
  index: string;
  lockWait: LockWait;
  /** Called after each partition that got the index. */
  built?: (partition: string) => void;
  /** Called before each retry after a lock timeout. */
  willRetry?: (attempt: number) => void;
};

type Lacking = { partition: string; name: string };

/**
 * Gives partitions older than an index of their table that index, one after another, in the form new partitions get. Writes continue: each
 * index is built concurrently, and the wait for the lock that attaches it is short. Results of an earlier attempt are kept, and an invalid
 * index that a failed attempt left is built again.
 */
export async function completeIndex(client: pg.Client, options: PartitionIndexOptions): Promise<void> {
  const { index, built } = options;
  const definition = await readDefinition(client, index);
  for (let next = await findLacking(client, index); next; next = await findLacking(client, index)) {
    try {
      await build(client, next, definition);
      await attach(client, next, options);
      built?.(next.partition);
    } catch (error) {
      // A partition that expired and was dropped meanwhile needs no index.
      if (await exists(client, next.partition).catch(() => true)) throw error;
    }
  }
}

/** The rest of the statement that creates the index, after the table's name, and whether the index is unique. */
type Definition = { isUnique: boolean; rest: string };

async function readDefinition(client: pg.Client, index: string): Promise<Definition> {
  const { rows } = await client.query<{ text: string; is_unique: boolean; has_levels: boolean }>(
    `select pg_get_indexdef(x.indexrelid) as text, x.indisunique as is_unique,
       exists (select from pg_partition_tree(x.indrelid) t where not t.isleaf and t.level > 0) as has_levels
     from pg_index x join pg_class c on c.oid = x.indrelid
     where x.indexrelid = to_regclass($1) and c.relkind = 'p'`,
    [pg.escapeIdentifier(index)],
  );
  const [found] = rows;
  if (!found) throw new Error(`${index} is no index of a partitioned table`);
  if (found.has_levels) throw new Error(`the table of ${index} has partitions that have partitions`);
  return { isUnique: found.is_unique, rest: found.text.slice(found.text.indexOf(' USING ')) };
}

/** The first partition without an index attached to the given one, and the name for its index. */
async function findLacking(client: pg.Client, index: string): Promise<Lacking | undefined> {
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition
     from pg_index x join pg_inherits p on p.inhparent = x.indrelid join pg_class c on c.oid = p.inhrelid
     where x.indexrelid = to_regclass($1) and not exists (
       select from pg_inherits a join pg_index own on own.indexrelid = a.inhrelid
       where a.inhparent = x.indexrelid and own.indrelid = c.oid)
     order by c.relname limit 1`,
    [pg.escapeIdentifier(index)],
  );
  const [row] = rows;
  return row && { partition: row.partition, name: nameOf(row.partition, index) };
}

/** A name that is the same in each attempt, so that leftovers are recognised. Postgres would truncate a longer one. */
function nameOf(partition: string, index: string): string {
  const name = `${partition}_${index}`;
  if (Buffer.byteLength(name) <= 63) return name;
  return `${index.slice(0, 40)}_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

async function build(
  client: pg.Client,
  { partition, name }: Lacking,
  { isUnique, rest }: Definition,
): Promise<void> {
  const [table, index] = [pg.escapeIdentifier(partition), pg.escapeIdentifier(name)];
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  if (rows[0]?.indisvalid) return;
  await client.query(`drop index concurrently if exists ${index}`);
  await client.query(`create ${isUnique ? 'unique ' : ''}index concurrently ${index} on ${table}${rest}`);
}

async function attach(
  client: pg.Client,
  { name }: Lacking,
  { index, lockWait, willRetry = () => undefined }: PartitionIndexOptions,
): Promise<void> {
  const [parent, own] = [pg.escapeIdentifier(index), pg.escapeIdentifier(name)];
  async function run(): Promise<void> {
    try {
      await client.query(`begin; set local lock_timeout = ${lockWait.timeoutMs}`);
      await client.query(`alter index ${parent} attach partition ${own}`);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }
  await retryForLocks(run, lockWait, willRetry);
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query('select where to_regclass($1) is not null', [
    pg.escapeIdentifier(table),
  ]);
  return rows.length > 0;
}
