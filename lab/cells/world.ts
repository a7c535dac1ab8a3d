import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { REPOSITORY } from '@parley/stack/config';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { createApp } from '../../test/support/app.ts';
import { startListener, type Listener } from '../../test/support/listener.ts';
import { readConfig } from '../config.ts';
import type { Room } from './senders.ts';

export const CELLS = ['p00', 'p01', 'p02', 'p03'] as const;

export type World = {
  platform: Platform;
  /** Address of messaging's database at the coordinator. */
  databaseUrl: string;
  rooms: Room[];
  /** One for each application. */
  listeners: { listener: Listener; conversations: string[] }[];
};

type Start = { dataDir: string; port: number; databaseUrl: string };

/** Two processes of messaging and two gateways, with the cells of messaging in a database of Citus. */
export function startInCells({ dataDir, port, databaseUrl }: Start): Promise<Platform> {
  return startPlatform({
    dataDir,
    port,
    demo: false,
    durable: false,
    yieldsProcessors: false,
    replicas: { messaging: 2, gateway: 2 },
    env: {
      '*': { PARLEY_RATE_LIMIT_FACTOR: '0', PARLEY_CELLS: `citus:${CELLS.length}` },
      messaging: {
        PARLEY_DATABASE_URL: databaseUrl,
        PARLEY_DATABASE_POOL_SIZE: '8',
        PARLEY_SEND_POOL_SIZE: '6',
      },
    },
  });
}

/** Two applications in each cell, with two conversations each. */
export async function createRooms(platform: Platform): Promise<Pick<World, 'rooms' | 'listeners'>> {
  const at = { baseUrl: platform.baseUrl, adminToken: platform.state.admin_token };
  const [rooms, listeners]: [Room[], World['listeners']] = [[], []];
  for (let count = 0; count < 2 * CELLS.length; count++) {
    const app = await createApp(at, `app ${count}`);
    const users = [await app.login('ada'), await app.login('grace')];
    const own: Room[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const body = { participants: [users[1]!.uri] };
      const { body: created } = await users[0]!.call('POST', '/conversations', 201, { body });
      const conversation = String(created.id).split('/').at(-1) ?? '';
      own.push({ app, conversation, messagesUrl: created.messages_url as string, users });
    }
    const listener = await startListener([platform.baseUrl], users[1]!.token);
    rooms.push(...own);
    listeners.push({ listener, conversations: own.map(({ conversation }) => conversation) });
  }
  return { rooms, listeners };
}

const CLI = path.join(REPOSITORY, 'cli/dist/main.js');

function environmentOf({ baseUrl, state }: Platform) {
  return { PATH: readConfig().path, PARLEY_URL: baseUrl, PARLEY_ADMIN_TOKEN: state.admin_token };
}

/** Runs `parley` with these arguments, and returns what it prints. */
export async function parley(platform: Platform, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], {
    env: environmentOf(platform),
  });
  return stdout;
}

/** Runs `parley cells move`. `onLine` gets what it tells of its progress. Fails unless the cell is there at the end. */
export async function moveCell(
  platform: Platform,
  { cell, target }: { cell: string; target: string },
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'cells', 'move', cell, target], {
    env: environmentOf(platform),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`parley cells move ${cell} ${target}: ${lines.join('; ')}`);
}

type Listed = { cells: { name: string; node: string }[]; nodes: { address: string; takes_cells: boolean }[] };

/** The answer of ListCells. */
export async function listCells({ baseUrl, state }: Platform): Promise<Listed> {
  const answer = await fetch(`${baseUrl}/admin/rpc/parley.messaging.v1.CellAdminService/ListCells`, {
    method: 'POST',
    headers: { authorization: `Bearer ${state.admin_token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`ListCells: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Listed;
}
