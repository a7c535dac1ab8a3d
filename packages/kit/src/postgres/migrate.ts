import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../telemetry/log.ts';
import { connectOrCreate } from './migrate/connect.ts';
import { readMigrations, type Migration } from './migrate/files.ts';

export { dumpSchema } from './migrate/dump.ts';

const WITHOUT_TRANSACTION = /^-- no transaction$/m;
const LOCK_KEY = `hashtextextended('schema_migration', 0)`;

type Applied = { version: number; name: string; sha256: string };

/**
 * Migrates the database to the last migration of the folder; returns the applied ones. A missing database is created. Of
 * several concurrent callers one migrates while the rest wait. Each migration is a transaction of its
 * own, unless it has the line `-- no transaction` (for `create index concurrently`; then it must be repeatable).
 * A migration that changed after it was applied, or that comes before one that is applied, is refused.
 */
export async function migrate(options: { url: string; dir: string | URL; log: Logger }): Promise<string[]> {
  const migrations = await readMigrations(options.dir);
  const client = await connectOrCreate(options.url, options.log);
  try {
    await lock(client);
    const pending = findPending(migrations, await listApplied(client));
    for (const migration of pending) {
      await apply(client, migration);
      options.log.info({ migration: label(migration) }, 'migration applied');
    }
    return pending.map(label);
  } finally {
    await client.end();
  }
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

// A database that is migrated is not written to: a process also starts while it is read-only.
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

// An applied version without a file is ignored: it came with a later release, which may still be running.
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

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const inTransaction = !WITHOUT_TRANSACTION.test(migration.text);
  try {
    if (inTransaction) await client.query('begin');
    await client.query(migration.text);
    const { version, name, sha256 } = migration;
    await client.query('insert into schema_migration (version, name, sha256) values ($1, $2, $3)', [
      version,
      name,
      sha256,
    ]);
    if (inTransaction) await client.query('commit');
  } catch (cause) {
    if (inTransaction) await client.query('rollback').catch(() => undefined);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`migration ${label(migration)} failed: ${reason}`, { cause });
  }
}

function label({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')}_${name}`;
}
