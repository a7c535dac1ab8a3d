import { randomUUID } from 'node:crypto';
import pg from 'pg';

type Node = { host: string; port: number };

/**
 * The url of a fresh, empty database of a Citus cluster, as the user of `coordinator`: the address of a database on the coordinator that has the
 * extension and knows the nodes. It has the same nodes.
 */
export async function createCitusDatabase(coordinator: string): Promise<string> {
  const name = `parley_test_${randomUUID().replaceAll('-', '')}`;
  const nodes = await onServer(coordinator, async (client) => {
    const { rows } = await client.query<Node>(
      `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`,
    );
    return rows;
  });
  const own = new URL(coordinator);
  for (const { host, port } of nodes) {
    const url = new URL(coordinator);
    url.hostname = host;
    url.port = String(port);
    await onServer(url.href, (client) => client.query(`create database ${name} template template0`));
    url.pathname = `/${name}`;
    await onServer(url.href, (client) => client.query('create extension citus'));
  }
  const [first, ...others] = nodes;
  own.pathname = `/${name}`;
  await onServer(own.href, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [first?.host, first?.port]);
    for (const { host, port } of others) await client.query('select citus_add_node($1, $2)', [host, port]);
  });
  return own.href;
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
