import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../runtime/telemetry/log.ts';
import { createCluster, type Cluster } from './cells/cluster.ts';
import { prepareMoves } from './cells/moves.ts';
import { cellNames, type CellPlan } from '../runtime/config/cell-plan.ts';
import { enterCell, markComplete, refuseLoss, statementsForCitus } from './migrate/cells.ts';
import { connectOrCreate } from './migrate/connect.ts';
import {
  indexesToComplete,
  isWithoutTransaction,
  readMigrations,
  statementsOf,
  type Migration,
} from './migrate/files.ts';
import { FOR_A_LOCK, retryForLocks, type LockWait } from './migrate/lock-wait.ts';
import { completeIndex } from './migrate/partition-index.ts';

export { dumpSchema } from './migrate/dump.ts';

const LOCK_KEY = `hashtextextended('schema_migration', 0)`;

type Applied = { version: number; name: string; sha256: string };

type MigrateOptions = {
  url: string;
  dir: string | URL;
  log: Logger;
  lockWait?: LockWait;
  /** Cells of a service, migrated one after another; `applied` lists each migration with its cell. Default: the schema `public`. */
  cells?: CellPlan | undefined;
  /** Number of cells, counted from the first, that processes use; the rest are created ahead of time. Default: all. */
  usedCells?: number;
};

/** `cluster`: present for a cell that Citus has placed. */
type Applying = { log: Logger; lockWait: LockWait; cell?: string | undefined; cluster?: Cluster | undefined };

/**
 * Migrates the database to the folder's last migration; returns the applied ones. A missing database is created. Of several concurrent
 * callers one migrates while the rest wait. Each migration is a transaction, which waits a short time for each lock and is retried if it
 * does not get it: other statements queue behind one that waits. A migration with the line `-- no transaction` (for `create index
 * concurrently`) runs statement by statement, each ending at a line's end, and waits as long as necessary; it must be repeatable. Its lines
 * `-- complete index <name>` give existing partitions an index that was created `on only` their table. A migration that changed after it
 * was applied, or that precedes an applied one, is refused.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, log, lockWait = FOR_A_LOCK, cells } = options;
  const migrations = await readMigrations(options.dir);
  const client = await connectOrCreate(url, log);
  try {
    await lock(client);
    if (cells) await refuseLoss(client, cells);
    if (!cells || cells.kind === 'one') return await applyPending(client, migrations, { log, lockWait });
    const cluster = cells.kind === 'citus' ? createCluster({ url, log }) : undefined;
    if (cluster) await prepareMoves(client);
    const applied: string[] = [];
    for (const [index, cell] of cellNames(cells).entries()) {
      const isAhead = index >= (options.usedCells ?? cells.count);
      await enterCell(client, cell, { kind: cells.kind, isAhead });
      const labels = await applyPending(client, migrations, { log, lockWait, cell, cluster });
      await markComplete(client, cell, isAhead);
      applied.push(...labels.map((one) => `${cell}/${one}`));
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function applyPending(
  client: pg.Client,
  migrations: Migration[],
  applying: Applying,
): Promise<string[]> {
  const { log, cell, cluster } = applying;
  const pending = findPending(migrations, await listApplied(client));
  for (const migration of pending) {
    await apply(client, migration, applying);
    log.info({ migration: label(migration), cell }, 'migration applied');
  }
  if (cell !== undefined && pending.length > 0) await cluster?.settleTables(cell);
  return pending.map(label);
}

// Polls the lock instead of waiting inside Postgres: a waiting statement holds a snapshot, for which
// `create index concurrently` would wait in turn. The lock ends with the connection.
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${LOCK_KEY}) as got`);
    if (rows[0]?.got) return;
    await delay(50);
  }
}

// A fully migrated database is not written to, so that processes can start while it is read-only.
async function listApplied(client: pg.Client): Promise<Applied[]> {
  const { rows: tables } = await client.query(`select where to_regclass('schema_migration') is not null`);
  if (tables.length === 0)
    await client.query(`
      create table schema_migration (
        version integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default clock_timestamp()
      )`);
  const { rows } = await client.query<Applied>(
    'select version, name, sha256 from schema_migration order by version',
  );
  return rows;
}

// An applied version without a file is ignored: it belongs to a later release, which may still be running.
function findPending(migrations: Migration[], applied: Applied[]): Migration[] {
  const byVersion = new Map(applied.map((row) => [row.version, row]));
  const pending = migrations.filter((migration) => {
    const row = byVersion.get(migration.version);
    if (row && row.sha256 !== migration.sha256) {
      throw new Error(
        `migration ${label(migration)} was changed after it was applied; write a new one instead`,
      );
    }
    return !row;
  });
  const last = applied.at(-1);
  const early = pending.find(({ version }) => last && version < last.version);
  if (early && last)
    throw new Error(`migration ${label(early)} comes before ${label(last)}, which is applied already`);
  return pending;
}

async function apply(
  client: pg.Client,
  migration: Migration,
  { log, lockWait, cell, cluster }: Applying,
): Promise<void> {
  const willRetry = (attempt: number): void =>
    log.warn({ migration: label(migration), attempt }, 'migration did not get a lock in time; will retry');
  const built = (partition: string): void =>
    log.info({ migration: label(migration), partition }, 'partition got its index');
  try {
    if (isWithoutTransaction(migration))
      await applyByStatement(client, migration, (index) =>
        completeIndex(client, { index, lockWait, built, willRetry }),
      );
    else {
      if (indexesToComplete(migration).length > 0) throw new Error('it needs the line "-- no transaction"');
      const texts = cluster ? statementsForCitus(migration) : [migration.text];
      const attempt = () => applyInTransaction(client, migration, { texts, timeoutMs: lockWait.timeoutMs });
      const applyOnce = () => retryForLocks(attempt, lockWait, willRetry);
      await (cell === undefined || !cluster ? applyOnce() : cluster.withoutViews(cell, applyOnce));
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`migration ${label(migration)} failed: ${reason}`, { cause });
  }
}

async function applyInTransaction(
  client: pg.Client,
  migration: Migration,
  { texts, timeoutMs }: { texts: string[]; timeoutMs: number },
): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${timeoutMs}`);
    for (const text of texts) await client.query(text);
    await note(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function applyByStatement(
  client: pg.Client,
  migration: Migration,
  complete: (index: string) => Promise<void>,
): Promise<void> {
  for (const statement of statementsOf(migration)) await client.query(statement);
  for (const index of indexesToComplete(migration)) await complete(index);
  await note(client, migration);
}

async function note(client: pg.Client, { version, name, sha256 }: Migration): Promise<void> {
  await client.query('insert into schema_migration (version, name, sha256) values ($1, $2, $3)', [
    version,
    name,
    sha256,
  ]);
}

function label({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')}_${name}`;
}
