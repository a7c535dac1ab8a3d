import pg from 'pg';

/** Two servers that have the catalogs and functions of Citus that cells use, and a cell `p00` with the table `item (id)` on the first. */
export type FakeCitus = {
  /** Moves the cell to the other server, as Citus does: without `isKept` its tables go from the first. */
  move(options?: { isKept?: boolean }): Promise<void>;
  /** Has the catalogs say that the cell is on the other server, and the next time the truth again. */
  claimOtherServer(): Promise<void>;
  /** The ids on the server that has the cell. */
  ids(): Promise<number[]>;
};

const SHARDS = { item: 101, schema_migration: 102 };
const LOCK = 42;

const CATALOGS = `
  set allow_system_table_mods to on;
  create table pg_catalog.pg_dist_node (groupid int, nodename text, nodeport int, noderole text, isactive boolean,
    shouldhaveshards boolean);
  create table pg_catalog.pg_dist_shard (logicalrelid oid, shardid bigint);
  create table pg_catalog.pg_dist_placement (shardid bigint, groupid int);
  create function pg_catalog.shard_name(oid, bigint) returns text language sql stable as
    $$ select format('%I.%I', c.relnamespace::regnamespace::text, c.relname || '_' || $2) from pg_class c where c.oid = $1 $$;
  create function pg_catalog.lock_shard_metadata(mode int, shards bigint[]) returns void language sql as
    $$ select pg_advisory_xact_lock_shared(${LOCK}, s::int) from unnest(shards) as s $$;
  create schema p00`;

/** `urls`: of empty databases on two servers. The lock of a shard is an advisory one. */
export async function imitateCitus(urls: readonly [string, string]): Promise<FakeCitus> {
  let home = 0;
  for (const url of urls) await onServer(url, (client) => prepare(client, urls));
  await onServer(urls[0], addShards);

  return {
    async move({ isKept = false } = {}) {
      const [from, to] = home === 0 ? urls : [urls[1], urls[0]];
      await onServer(from, (source) => onServer(to, (target) => moveCell(source, target, 1 - home)));
      home = 1 - home;
      if (!isKept) await onServer(from, (client) => client.query(`drop table ${shardsText()} cascade`));
    },
    async claimOtherServer() {
      for (const url of urls)
        await onServer(url, (client) => client.query('update pg_dist_placement set groupid = 1 - groupid'));
    },
    ids: () =>
      onServer(urls[home]!, async (client) => {
        const { rows } = await client.query<{ id: number }>(
          `select id from p00.item_${SHARDS.item} order by id`,
        );
        return rows.map(({ id }) => id);
      }),
  };
}

function shardsText(): string {
  return Object.entries(SHARDS)
    .map(([table, shard]) => `p00.${table}_${shard}`)
    .join(', ');
}

async function prepare(client: pg.Client, urls: readonly string[]): Promise<void> {
  await client.query(CATALOGS);
  for (const [group, url] of urls.entries()) {
    const { hostname, port } = new URL(url);
    await client.query(`insert into pg_dist_node values ($1, $2, $3, 'primary', true, true)`, [
      group,
      hostname,
      Number(port),
    ]);
  }
  for (const [table, shard] of Object.entries(SHARDS)) {
    await client.query(`create table p00.${table} (id integer)`);
    await client.query(`insert into pg_dist_shard values ('p00.${table}'::regclass, $1)`, [shard]);
    await client.query('insert into pg_dist_placement values ($1, 0)', [shard]);
  }
}

async function addShards(client: pg.Client): Promise<void> {
  for (const [table, shard] of Object.entries(SHARDS))
    await client.query(`create table p00.${table}_${shard} (id integer primary key)`);
}

/** Holds the lock of the move, so that no transaction uses the cell while its rows are copied and both servers learn its place. */
async function moveCell(source: pg.Client, target: pg.Client, group: number): Promise<void> {
  await target.query(`drop table if exists ${shardsText()} cascade`);
  await addShards(target);
  for (const client of [source, target]) {
    await client.query('begin');
    for (const shard of Object.values(SHARDS))
      await client.query(`select pg_advisory_xact_lock(${LOCK}, ${shard})`);
  }
  const { rows } = await source.query<{ id: number }>(`select id from p00.item_${SHARDS.item}`);
  const ids = rows.map(({ id }) => id);
  await target.query(`insert into p00.item_${SHARDS.item} select * from unnest($1::int[])`, [ids]);
  for (const client of [target, source])
    await client.query('update pg_dist_placement set groupid = $1', [group]);
  for (const client of [target, source]) await client.query('commit');
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
