import pg from 'pg';

/** The address of a database of a platform, by its name. */
export type Databases = (database: string) => string | Promise<string>;

/**
 * The address of messaging's database whose search path is the schema of an application's cell; where there is one cell, that is `public`.
 * docs/decisions/cells.md
 */
export async function messagingUrl(databases: Databases, appUuid: string): Promise<string> {
  const client = new pg.Client({ connectionString: await databases('parley_identity') });
  await client.connect();
  const { rows } = await client.query<{ cell: number }>('select cell from app where id = $1', [appUuid]);
  await client.end();
  const schema = `p${String(rows[0]?.cell ?? 0).padStart(2, '0')}`;
  const url = new URL(await databases('parley_messaging'));
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${options} -c search_path=${schema},public`.trim());
  return url.href;
}
