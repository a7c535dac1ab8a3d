import type pg from 'pg';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { identifyRows } from './cluster.ts';
import { checkMove } from './move-checks.ts';
import { MoveRefusal } from './refusal.ts';
import { createServers, listServers, nameOf, withClient } from './servers.ts';

export { MoveRefusal } from './refusal.ts';

/**
 * `phase`, `copiedBytes`, `totalBytes` and `lagBytes` (of the write-ahead log that the target has yet to apply) are present while the move
 * runs. Times in milliseconds.
 */
export type Move = {
  id: string;
  cell: string;
  source: string;
  target: string;
  state: 'waiting' | 'moving' | 'moved' | 'failed';
  phase: string;
  copiedBytes: number;
  totalBytes: number;
  lagBytes: number;
  attempts: number;
  error: string;
  requestedAt: number;
  /** 0: unfinished. */
  finishedAt: number;
};

/**
 * Moves of cells between Citus nodes, stored at the coordinator, so that they continue after the process that started one has ended. All
 * methods reject with a ConnectError while the coordinator is unreachable.
 */
export type Moves = {
  /**
   * Requests a move; undefined if the cell is already there. Rejects with a MoveRefusal for a move that would not succeed, or would cut
   * processes off from the cell.
   */
  request(cell: string, target: string): Promise<Move | undefined>;
  /** Lists unfinished moves, then finished ones, newest first. */
  list(limit: number): Promise<Move[]>;
  /**
   * Runs the next due move, unless one is running anywhere; resolves when it has ended or must be tried again. After `signal` the move
   * continues at the coordinator, and another call finds its end.
   */
  runNext(signal: AbortSignal): Promise<void>;
};

/** A restarting node is back within these attempts, whose waits double up to a minute. */
const MAX_ATTEMPTS = 10;
const LONGEST_WAIT_S = 60;

/** A table beside the cells, in a schema that Citus does not distribute. */
const TABLE = 'parley_cells.move';

const LOCK = `hashtextextended('moves of cells', 0)`;

const COLUMNS = `
  m.id::text, m.cell, m.source, m.target, m.state, m.attempts, m.error,
  extract(epoch from m.requested_at)::float8 * 1000 as "requestedAt",
  coalesce(extract(epoch from m.finished_at)::float8 * 1000, 0) as "finishedAt"`;

const PROGRESS = `
  select c.relnamespace::regnamespace::text as cell, string_agg(distinct p.status, ', ') as phase,
    sum(least(p.target_shard_size, p.source_shard_size))::float8 as "copiedBytes",
    sum(p.source_shard_size)::float8 as "totalBytes",
    coalesce(max(greatest(p.source_lsn - p.target_lsn, 0)), 0)::float8 as "lagBytes"
  from get_rebalance_progress() as p join pg_class c on c.oid = p.table_name group by 1`;

type Progress = Pick<Move, 'cell' | 'phase' | 'copiedBytes' | 'totalBytes' | 'lagBytes'>;
type Kept = Omit<Move, keyof Progress> & { cell: string };

/** Creates the table of moves over a connection to the coordinator. */
export async function prepareMoves(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select where to_regclass($1) is not null', [TABLE]);
  if (rows.length > 0) return;
  await client.query(`
    set citus.enable_schema_based_sharding to 'off';
    create schema if not exists parley_cells;
    create table if not exists ${TABLE} (
      id bigint generated always as identity primary key,
      cell text not null,
      source text not null,
      target text not null,
      state text not null default 'waiting',
      attempts integer not null default 0,
      error text not null default '',
      requested_at timestamptz not null default clock_timestamp(),
      due_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    );
    create unique index if not exists unfinished_move on ${TABLE} (cell) where finished_at is null`);
}

export function createMoves({ url, log }: { url: string; log: Logger }): Moves {
  const servers = createServers({ url, log });

  async function list(client: pg.Client, limit: number): Promise<Move[]> {
    const { rows } = await client.query<Kept>(
      `select ${COLUMNS} from ${TABLE} as m order by m.finished_at is not null, m.finished_at desc, m.id desc limit $1`,
      [limit],
    );
    if (!rows.some(({ state }) => state === 'moving')) return rows.map((row) => withProgress(row));
    const { rows: progress } = await client.query<Progress>(PROGRESS);
    return rows.map((row) =>
      withProgress(row, row.state === 'moving' ? progress.find(({ cell }) => cell === row.cell) : undefined),
    );
  }

  async function insert(client: pg.Client, move: { cell: string; source: string; target: string }) {
    const { rows } = await client.query<Kept>(
      `insert into ${TABLE} as m (cell, source, target) values ($1, $2, $3)
       on conflict (cell) where finished_at is null do nothing returning ${COLUMNS}`,
      [move.cell, move.source, move.target],
    );
    const [inserted] = rows;
    if (inserted) return withProgress(inserted);
    // Another request came first, for the same server or another one.
    const open = (await list(client, 100)).find((one) => one.cell === move.cell && one.finishedAt === 0);
    if (open?.target === move.target) return open;
    throw new MoveRefusal(
      'busy',
      `${move.cell} was just moved${open ? ` to ${open.target}` : ''}: ask again.`,
    );
  }

  return {
    list: (limit) => withClient(url, (client) => list(client, limit)),
    request: (cell, target) =>
      withClient(url, async (client) => {
        const open = (await list(client, 100)).find((one) => one.cell === cell && one.finishedAt === 0);
        if (open?.target === target) return open;
        if (open) throw new MoveRefusal('busy', `${cell} moves to ${open.target}: wait until it is there.`);
        const source = await checkMove(client, { cell, target, urlOf: servers.urlOf, url });
        if (source === target) return undefined;
        return insert(client, { cell, source, target });
      }),
    async runNext(signal) {
      await withClient(
        url,
        async (client) => {
          if (signal.aborted || !(await take(client)) || signal.aborted) return;
          const move = await begin(client);
          if (move) await run(client, { move, log, signal });
        },
        // Proxies drop idle connections after minutes, and a move is silent for hours.
        { query_timeout: 0, keepAlive: true, keepAliveInitialDelayMillis: 30_000 },
      );
    },
  };
}

function withProgress(row: Kept, progress?: Progress): Move {
  return Object.assign({ phase: '', copiedBytes: 0, totalBytes: 0, lagBytes: 0 }, row, progress);
}

/** Whether no move runs: the lock belongs to the session that runs a move, and ends with it. */
async function take(client: pg.Client): Promise<boolean> {
  // A move takes hours, and continues after its client has ended as long as it has nothing to send to it.
  await client.query(`set statement_timeout to 0; set lock_timeout to 0; set client_min_messages to 'error'`);
  const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${LOCK}) as got`);
  return rows[0]?.got === true;
}

async function begin(client: pg.Client): Promise<Kept | undefined> {
  const { rows } = await client.query<Kept>(
    // Postpones the next attempt in advance, in case this one loses its connection and cannot do so.
    `update ${TABLE} as m set state = 'moving', attempts = m.attempts + 1,
       due_at = clock_timestamp() + make_interval(secs => least(2 ^ least(m.attempts + 1, 6), 60))
     where m.id = (select id from ${TABLE} where finished_at is null and due_at <= clock_timestamp() order by due_at, id limit 1)
     returning ${COLUMNS}`,
  );
  return rows[0];
}

async function run(
  client: pg.Client,
  { move, log, signal }: { move: Kept; log: Logger; signal: AbortSignal },
): Promise<void> {
  const { cell, target, attempts } = move;
  log.info({ cell, target, attempts }, 'moving a cell');
  const stop = (): void => void client.end();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return stop();
    await moveCell(client, move);
    await finish(client, move, 'moved');
    log.info({ cell, target }, 'moved a cell');
  } catch (error) {
    if (signal.aborted) return;
    const isLast = attempts >= MAX_ATTEMPTS;
    log.error({ error, cell, target, attempts, isLast }, 'failed to move a cell');
    if (isLast) await finish(client, move, 'failed', error);
    else await postpone(client, move, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function moveCell(client: pg.Client, { cell, target, attempts }: Kept): Promise<void> {
  const server = (await listServers(client)).find((one) => nameOf(one) === target);
  if (!server) throw new Error(`the cluster has no active node ${target} now`);
  const { rows } = await client.query(
    `select from pg_dist_shard s join pg_dist_placement p using (shardid)
     where s.logicalrelid = to_regclass($1) and p.groupid = $2`,
    [`${cell}.schema_migration`, server.group],
  );
  // An attempt whose end was not noticed.
  if (rows.length > 0) return;
  if (attempts > MAX_ATTEMPTS) throw new Error('each attempt lost its connection');
  await identifyRows(client, cell);
  await client.query('select citus_schema_move($1::regnamespace, $2::text, $3::int)', [
    cell,
    server.host,
    server.port,
  ]);
}

async function finish(
  client: pg.Client,
  { id }: Kept,
  state: 'moved' | 'failed',
  error?: unknown,
): Promise<void> {
  await client.query(
    `update ${TABLE} set state = $2, error = $3, finished_at = clock_timestamp() where id = $1`,
    [id, state, textOf(error)],
  );
}

async function postpone(client: pg.Client, { id, attempts }: Kept, error: unknown): Promise<void> {
  const waitS = Math.min(2 ** attempts, LONGEST_WAIT_S);
  await client.query(
    `update ${TABLE} set state = 'waiting', error = $2, due_at = clock_timestamp() + make_interval(secs => $3)
     where id = $1`,
    [id, textOf(error), waitS],
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
