import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError, createClient, type Client } from '@connectrpc/connect';
import {
  CellAdminService,
  type Cell,
  type CellMove,
  type CellNode,
  type ListCellsResponse,
} from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { InvalidArgumentError, type Command } from 'commander';
import { createAdminTransport } from './connection.ts';
import type { Environment } from './run.ts';

const TIMEOUT_MS = 60_000;
/** How often the platform is asked how far it is. */
const PAUSE_MS = 500;
/** A request to make cells, and so many looks at them, then the next request. */
const ROUNDS_OF_A_REQUEST = 20;
const MIB = 1_048_576;

type Made = { readyCount: number; isDone: boolean };

/** `parley cells list`, `parley cells add --to 8`, `parley cells move p03 node-2:5432` */
export function addCellsCommands(program: Command, environment: Environment): void {
  const cells = program
    .command('cells')
    .description('Lists, adds and moves the cells of messaging’s database: docs/scaling.md#cells')
    .copyInheritedSettings(program);
  cells
    .command('list')
    .description('Lists cells with their nodes, sizes and applications, nodes, and moves')
    .copyInheritedSettings(cells)
    .action(() => list(environment));
  cells
    .command('add')
    .description('Makes cells for new applications. May be repeated when it was interrupted.')
    .requiredOption('--to <count>', 'how many cells there are to be', parseCount)
    .copyInheritedSettings(cells)
    .action(({ to }: { to: number }) => add(to, environment));
  cells
    .command('move')
    .description(
      'Has Citus move a cell to another node while messages are sent, and shows how far it is. It goes on when this command ' +
        'or a process of the platform ends; the same command again shows it.',
    )
    .argument('<cell>', 'its name, such as p03')
    .argument('<node>', 'its address as "parley cells list" gives it, such as node-2:5432')
    .copyInheritedSettings(cells)
    .action((cell: string, node: string) => move({ cell, target: node }, environment));
}

function parseCount(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It is not a number of cells.');
  return Number(text);
}

function connect(environment: Environment): Client<typeof CellAdminService> {
  return createClient(CellAdminService, createAdminTransport(environment));
}

async function list(environment: Environment): Promise<void> {
  const { kind, cells, nodes, moves, isCoordinatorAway } = await read(connect(environment));
  environment.print(`kind: ${kind}\n\n`);
  environment.print(tableOf(['cell', 'node', 'size', 'applications', 'state'], cells.map(cellRow)) + '\n');
  environment.print(tableOf(['node', 'size', 'cells', 'state'], nodes.map(nodeRow)));
  if (isCoordinatorAway) environment.print('\nThe coordinator does not answer: moves are not known.\n');
  if (moves.length > 0)
    environment.print(`\n${tableOf(['move', 'from', 'to', 'state', 'progress'], moves.map(moveRow))}`);
}

function read(client: Client<typeof CellAdminService>): Promise<ListCellsResponse> {
  return client.listCells({}, { timeoutMs: TIMEOUT_MS });
}

function cellRow({ name, node, byteCount, appCount, state }: Cell): string[] {
  return [name, node || '?', sizeOf(byteCount), appCount === undefined ? '?' : String(appCount), state];
}

function nodeRow({
  address,
  byteCount,
  cellCount,
  isReachable,
  takesCells,
  isCoordinator,
}: CellNode): string[] {
  const states = [
    isCoordinator && 'coordinator',
    !takesCells && !isCoordinator && 'takes no cells',
    !isReachable && 'does not answer',
  ].filter((state) => state !== false);
  return [address, sizeOf(byteCount), String(cellCount), states.join(', ')];
}

function moveRow(move: CellMove): string[] {
  return [move.cell, move.source, move.target, move.state, progressOf(move)];
}

async function add(to: number, environment: Environment): Promise<void> {
  const client = connect(environment);
  const say = sayChanges(environment);
  for (let round = 0; ; round++) {
    const answer = await (round % ROUNDS_OF_A_REQUEST === 0 ? request(client, to) : watch(client, to)).catch(
      unlessUnavailable,
    );
    say(
      answer
        ? `${answer.readyCount} of ${to} cells are ready`
        : 'The platform does not answer; waiting for it.',
    );
    if (answer?.isDone) break;
    await delay(PAUSE_MS);
  }
  const { kind, cells } = await read(client);
  if (cells.every(({ state }) => state === 'open')) return;
  environment.print(
    `Set PARLEY_CELLS=${kind === 'citus' ? 'citus:' : ''}${cells.length} for messaging, and when all its processes run with it, for ` +
      'identity, which then places new applications in the new cells.\n',
  );
}

/** Makes the platform go on: the process that made cells may have ended. */
function request(client: Client<typeof CellAdminService>, to: number): Promise<Made> {
  return client.addCells({ count: to }, { timeoutMs: TIMEOUT_MS });
}

/** Reads how far it is: each request would stand in the audit log. */
async function watch(client: Client<typeof CellAdminService>, to: number): Promise<Made | undefined> {
  const { cells, isCoordinatorAway } = await read(client);
  // Which cells are begun is written there.
  if (isCoordinatorAway) return undefined;
  const readyCount = cells.filter(({ state }) => state !== 'making').length;
  return { readyCount, isDone: readyCount >= to };
}

async function move(asked: { cell: string; target: string }, environment: Environment): Promise<void> {
  const client = connect(environment);
  const say = sayChanges(environment);
  const { move: begun } = await client.moveCell(asked, { timeoutMs: TIMEOUT_MS });
  const isOver = (one: CellMove) => one.state === 'moved' || one.state === 'failed';
  let last = begun;
  while (last && !isOver(last)) {
    say(`${last.cell} to ${last.target}: ${progressOf(last)}`);
    await delay(PAUSE_MS);
    const { requestedAt, cell } = last;
    const answer = await read(client).catch(unlessUnavailable);
    if (!answer || answer.isCoordinatorAway) say('The coordinator does not answer; waiting for it.');
    const moves = answer?.moves ?? [];
    last = moves.find((one) => one.cell === cell && one.requestedAt === requestedAt) ?? last;
  }
  if (last?.state === 'failed') throw new Error(`${last.cell} was not moved: ${last.error}`);
  environment.print(`${asked.cell} is at ${asked.target}.\n`);
}

/** Undefined for a platform that does not answer now, while what it does goes on. Throws any other error. */
function unlessUnavailable(error: unknown): undefined {
  if (ConnectError.from(error).code !== Code.Unavailable) throw error;
}

/** Prints a line unless it is the same as the last. */
function sayChanges({ print }: Environment): (line: string) => void {
  let said = '';
  return (line) => {
    if (line !== said) print(`${line}\n`);
    said = line;
  };
}

function progressOf({
  state,
  phase,
  copiedByteCount,
  totalByteCount,
  attemptCount,
  error,
}: CellMove): string {
  const attempt = attemptCount > 1 ? `attempt ${attemptCount}` : '';
  const size = totalByteCount > 0 ? `${mebibytes(copiedByteCount)} of ${sizeOf(totalByteCount)}` : '';
  const parts = state === 'moving' ? [phase || 'beginning', size, attempt] : [state, attempt, error];
  return parts.filter((part) => part !== '').join(', ');
}

function sizeOf(bytes: number | undefined): string {
  return bytes === undefined ? '?' : `${mebibytes(bytes)} MiB`;
}

function mebibytes(bytes: number): string {
  return String(Math.round(bytes / MIB));
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lineOf = (row: readonly string[]) =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}
