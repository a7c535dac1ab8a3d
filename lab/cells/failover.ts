import { withClient } from '../drill/postgres-backup.ts';
import { until } from '../../test/support/until.ts';
import type { Cluster } from './cluster.ts';
import { startSending } from './senders.ts';
import { judgeStored, readStored } from './stored.ts';
import { CELLS, type World } from './world.ts';

const MORE = 1_000;

/**
 * Gives a node a standby that takes each commit before it is acknowledged, kills the node while messages are sent, and has the standby take its
 * place. Returns what contradicts that no acknowledged message is lost or doubled.
 */
export async function rehearseFailover(
  { rooms, databaseUrl }: World,
  cluster: Cluster,
  say: (line: string) => void,
): Promise<string[]> {
  const [node] = cluster.nodes;
  if (!node) throw new Error('there is no node');
  const standby = await cluster.addStandby(node);
  await withClient(node.url('postgres'), async (client) => {
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
  });
  await until('the standby takes each commit', () => isSynchronous(node.url('postgres')), 60_000);
  const before = await readStored(databaseUrl, CELLS);
  const sending = startSending(rooms, 2);
  await until('messages are sent', () => sending.count() >= MORE || undefined, 120_000);
  const began = performance.now();
  await node.stop('SIGQUIT');
  await withClient(standby.url('postgres'), (client) => client.query('select pg_promote()'));
  await withClient(standby.url('postgres'), async (client) => {
    // Nothing follows it yet.
    await client.query(`alter system reset synchronous_standby_names`);
    await client.query('select pg_reload_conf()');
  });
  await withClient(databaseUrl, (client) =>
    client.query('select citus_update_node(nodeid, nodename, $2) from pg_dist_node where nodeport = $1', [
      node.port,
      standby.port,
    ]),
  );
  say(
    `the standby took the place of its node ${Math.round(performance.now() - began)} ms after it was killed`,
  );
  const count = sending.count();
  await until('messages are sent', () => sending.count() >= count + MORE || undefined, 120_000);
  await sending.stop();
  say(
    `${sending.count()} messages were acknowledged, the one that took longest within ${Math.round(sending.longestMs())} ms, ` +
      `with ${sending.repeats()} repeats`,
  );
  const expected = new Map(
    [...sending.sent].map(([conversation, ids]) => [
      conversation,
      [...(before.get(conversation) ?? []).map(({ id }) => id), ...ids],
    ]),
  );
  return [...sending.faults, ...judgeStored(await readStored(databaseUrl, CELLS), expected)];
}

async function isSynchronous(url: string): Promise<true | undefined> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select from pg_stat_replication where sync_state = 'sync'`);
    return rows.length > 0 || undefined;
  });
}
