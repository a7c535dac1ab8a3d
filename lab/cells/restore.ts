import { setTimeout as pause } from 'node:timers/promises';
import { untilArchived, withClient } from '../drill/postgres-backup.ts';
import type { Cluster } from './cluster.ts';
import { startSending } from './senders.ts';
import { judgeStored, readStored } from './stored.ts';
import { CELLS, parley, type World } from './world.ts';

const LOAD_MS = 5_000;
const POINT = 'drill';

type Options = {
  say: (line: string) => void;
  /** Starts the platform again. */
  restart: () => Promise<World['platform']>;
};

/**
 * Backs all servers up while messages are sent, makes a restore point, sends more, destroys the servers and restores them all to the point.
 * Returns what contradicts that the messages before it are there, and those after it are not, and that messages can be sent again.
 */
export async function rehearseRestore(
  world: World,
  cluster: Cluster,
  { say, restart }: Options,
): Promise<string[]> {
  const { rooms, databaseUrl } = world;
  const servers = [cluster.coordinator, ...cluster.nodes];
  const before = await storedIds(databaseUrl);
  const first = startSending(rooms, 2);
  for (const server of servers) await cluster.backUp(server);
  await pause(LOAD_MS);
  await first.stop();
  const since = new Date();
  const pointMs = await timed(() =>
    withClient(databaseUrl, (client) => client.query('select citus_create_restore_point($1)', [POINT])),
  );
  const later = startSending(rooms, 2);
  await pause(LOAD_MS);
  await later.stop();
  for (const server of servers) await untilArchived(server.url('postgres'));
  say(
    `${first.count()} messages before the restore point, made in ${pointMs} ms, ${later.count()} after it; destroying all servers`,
  );
  await world.platform.stop();
  for (const server of servers) await server.stop('SIGQUIT');
  const restoredMs = await timed(async () => {
    for (const server of servers) cluster.restore(server, POINT);
    await Promise.all(servers.map((server) => server.start()));
  });
  world.platform = await restart();
  const output = await parley(world.platform, 'admin', 'after-restore', '--since', since.toISOString());
  say(`restored within ${(restoredMs / 1000).toFixed(1)} s; after-restore: ${output.split('\n', 1)[0]}`);
  const expected = new Map(
    [...first.sent].map(([conversation, ids]) => [
      conversation,
      [...(before.get(conversation) ?? []), ...ids],
    ]),
  );
  const faults = judgeStored(await readStored(databaseUrl, CELLS), expected);
  const again = startSending(rooms, 1);
  await pause(LOAD_MS);
  await again.stop();
  say(`${again.count()} messages were sent to the restored cells`);
  const [all, more] = [await readStored(databaseUrl, CELLS), again.sent];
  return [
    ...faults,
    ...again.faults,
    ...(again.count() === 0 ? ['nothing could be sent'] : []),
    ...judgeStored(all, more, { mayBeMore: true }),
  ];
}

async function storedIds(databaseUrl: string): Promise<Map<string, string[]>> {
  const stored = await readStored(databaseUrl, CELLS);
  return new Map([...stored].map(([conversation, rows]) => [conversation, rows.map(({ id }) => id)]));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}
