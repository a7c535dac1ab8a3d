import { createTestDatabase, SEAMS, startPostgresProxy, type PostgresProxy, until } from '@parley/testing';
import pg from 'pg';

let url: string;
let direct: pg.Client;
let proxy: PostgresProxy;

beforeAll(async () => {
  url = await createTestDatabase();
  direct = new pg.Client({ connectionString: url });
  await direct.connect();
  await direct.query('create table item (name text primary key)');
  proxy = await startPostgresProxy(url);
});
afterAll(async () => {
  await proxy.stop();
  await direct.end();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: proxy.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const WAYS = {
  'a transaction': async (client: pg.Client, name: string) => {
    await client.query('begin');
    await client.query('insert into item values ($1)', [name]);
    await client.query('commit');
  },
  'a statement outside of one': (client: pg.Client, name: string) =>
    client.query('insert into item values ($1)', [name]),
};
const CASES = SEAMS.flatMap((seam) => Object.keys(WAYS).map((way) => [seam, way] as const));

test.each(CASES)('%s: %s fails, and what was sent is committed', async (seam, way) => {
  const name = `${seam} ${way}`;
  const client = await connect();
  await client.query('select 1');
  proxy.resetAt(seam, name);
  const before = proxy.resets;
  await expect(WAYS[way as keyof typeof WAYS](client, name)).rejects.toThrow();
  expect(proxy.resets).toBe(before + 1);
  const isStored = async () =>
    (await direct.query('select from item where name = $1', [name])).rowCount === 1;
  if (seam !== 'torn') expect(await isStored()).toBe(seam === 'unanswered');
  else
    await until(async () => (await isStored()) || undefined, { withinMs: 10_000, what: 'it is committed' });
});

test('transactions before it, and those without the text, go on', async () => {
  const client = await connect();
  proxy.resetAt('unanswered', 'marked', 1);
  await WAYS['a transaction'](client, 'plain');
  await WAYS['a transaction'](client, 'marked 1');
  await expect(WAYS['a transaction'](client, 'marked 2')).rejects.toThrow();
  const { rows } = await direct.query<{ name: string }>("select name from item where name like '%marked%'");
  expect(rows.map(({ name }) => name)).toEqual(['marked 1', 'marked 2']);
});

test('what was forgotten does not happen', async () => {
  const client = await connect();
  proxy.resetAt('unsent', 'forgotten');
  proxy.disarm();
  await WAYS['a transaction'](client, 'forgotten');
  await client.end();
});
