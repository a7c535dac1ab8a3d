import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../drill/postgres-backup.ts';
import { until } from '../../test/support/until.ts';
import type { Cluster } from './cluster.ts';
import type { Server } from './server.ts';
import { startSending, type Sending } from './senders.ts';
import { judgeStored, readStored } from './stored.ts';
import { CELLS, listCells, moveCell, type World } from './world.ts';

export type Options = { messages: number; awayMs: number; say: (line: string) => void };

const MOVES = 10;
const KILLED = new Set([2, 6]);
const DELIVERED_MS = 120_000;
const SENDERS_OF_ROOM = 4;

/**
 * Ten moves while messages are sent, with the target of two of them killed, the coordinator away, a migration, and a node that
 * restarts. Returns what contradicts that each acknowledged message is stored and delivered, and no other.
 */
export async function rehearseMoves(world: World, cluster: Cluster, options: Options): Promise<string[]> {
  const { say, messages, awayMs } = options;
  const sending = startSending(world.rooms, SENDERS_OF_ROOM);
  const told = (what: string) =>
    say(
      `${what}; ${sending.count()} acknowledged, ${sending.repeats()} repeats, longest ${Math.round(sending.longestMs())} ms`,
    );
  try {
    await more(sending, 500);
    for (let turn = 0; turn < MOVES; turn++) {
      await between(turn, { world, cluster, awayMs, told });
      await moveOne(turn, { world, cluster, told });
    }
    const isOver = () => sending.count() >= messages || sending.faults.length > 0 || undefined;
    await until('all messages are sent', isOver, 3_600_000);
  } finally {
    await sending.stop();
  }
  told('sent');
  const faults = [
    ...sending.faults,
    ...judgeStored(await readStored(world.databaseUrl, CELLS), sending.sent),
  ];
  return [...faults, ...(await judgeDelivered(world, sending))];
}

type Telling = { world: World; cluster: Cluster; told: (what: string) => void };

function more(sending: Sending, count: number): Promise<unknown> {
  const from = sending.count();
  return until('messages are sent', () => sending.count() >= from + count || undefined, 120_000);
}

async function between(
  turn: number,
  { world, cluster, awayMs, told }: Telling & { awayMs: number },
): Promise<void> {
  if (turn === 4) {
    await cluster.coordinator.stop('SIGINT');
    await pause(awayMs);
    told(`the coordinator was away for ${awayMs / 1000} s`);
    await cluster.coordinator.start();
  }
  if (turn === 5) {
    await migrateOnce(world.databaseUrl);
    told('a migration added a column to each cell');
  }
  if (turn === 8) {
    await cluster.nodes[0]!.stop('SIGQUIT');
    await cluster.nodes[0]!.start();
    told('a node was killed and started again');
  }
}

async function moveOne(turn: number, { world, cluster, told }: Telling): Promise<void> {
  const cell = CELLS[turn % CELLS.length]!;
  const { cells, nodes } = await until(
    'cells are listed',
    () => listCells(world.platform).catch(() => undefined),
    60_000,
  );
  const at = cells.find(({ name }) => name === cell)?.node;
  const target =
    nodes.find(({ address, takes_cells: takesCells }) => takesCells && address !== at)?.address ?? '';
  const began = performance.now();
  let killing: Promise<void> | undefined;
  await moveCell(world.platform, { cell, target }, (line) => {
    if (KILLED.has(turn) && /beginning|Setting Up|Copying/.test(line))
      killing ??= killAndStart(cluster, target);
  });
  await killing;
  const notes = KILLED.has(turn) ? ', whose target was killed meanwhile' : '';
  if (KILLED.has(turn) && !killing) throw new Error('the move was over before its target was killed');
  told(
    `move ${turn + 1} of ${MOVES}: ${cell} in ${((performance.now() - began) / 1000).toFixed(1)} s${notes}`,
  );
}

async function killAndStart(cluster: Cluster, address: string): Promise<void> {
  const server = serverAt(cluster, address);
  await server.stop('SIGQUIT');
  await server.start();
}

function serverAt({ all }: Cluster, address: string): Server {
  const found = all.find(({ port }) => address.endsWith(`:${port}`));
  if (!found) throw new Error(`no server is at ${address}`);
  return found;
}

/** Adds a column to a table of each cell as migrations do: by the coordinator, waiting a short time for each lock. */
async function migrateOnce(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(`set lock_timeout to '1s'`);
    for (const cell of CELLS)
      await until(
        `a column is added in ${cell}`,
        () => client.query(`alter table ${cell}.message add column later integer`).catch(() => undefined),
        60_000,
      );
  });
}

async function judgeDelivered({ listeners }: World, { sent }: Sending): Promise<string[]> {
  const faults: string[] = [];
  for (const { listener, conversations } of listeners) {
    const ids = conversations.flatMap((conversation) => sent.get(conversation) ?? []);
    const missing = () => {
      const { messages } = listener;
      return ids.filter((id) => !messages.has(`svc:///messages/${id}`)).length;
    };
    await until('messages are delivered', () => missing() === 0 || undefined, DELIVERED_MS).catch(() =>
      faults.push(`${missing()} of ${ids.length} messages were not delivered to a client that was connected`),
    );
  }
  return faults;
}
