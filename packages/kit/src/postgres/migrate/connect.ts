import pg from 'pg';
import type { Logger } from '../../runtime/telemetry/log.ts';

const UNKNOWN_DATABASE = '3D000';
const ALREADY_EXISTS = new Set(['42P04', '23505']);

/** A connection without time limits to the url's database, which is created when it is missing. */
export async function connectOrCreate(url: string, log: Logger): Promise<pg.Client> {
  try {
    return await connect(url);
  } catch (error) {
    if (sqlState(error) !== UNKNOWN_DATABASE) throw error;
  }
  await createDatabase(url, log);
  return connect(url);
}

async function createDatabase(url: string, log: Logger): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = await connect(maintenance.href);
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)} template template0 encoding 'UTF8'`);
    log.info({ database: name }, 'database created');
  } catch (error) {
    // Another process created it first, as reported by the server's check or the unique index of pg_database.
    if (!ALREADY_EXISTS.has(sqlState(error) ?? '')) throw error;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'migrate',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
