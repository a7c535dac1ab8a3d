import pg from 'pg';
import { DATABASES, type DatabaseName } from '../drill/skew.ts';

export { DATABASES, type DatabaseName };

/** Runs `work` with a connection to a database of the server, whose statements `pg_stat_statements` leaves out. */
export async function withDatabase<T>(
  server: string,
  name: DatabaseName | 'postgres',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(server);
  url.pathname = name === 'postgres' ? '/postgres' : `/parley_${name}`;
  const client = new pg.Client({
    connectionString: url.href,
    options: '-c pg_stat_statements.track=none -c synchronous_commit=off',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
