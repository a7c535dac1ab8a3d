import { Code } from '@connectrpc/connect';
import type pg from 'pg';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Query } from './connection.ts';
import { DatabaseError, isReadOnly, toConnectError } from './errors.ts';
import { noteEpoch, readEpoch, type Ask, type Reading } from './epoch/table.ts';

export { DATABASE_EPOCH_TABLE_SQL } from './epoch/table.ts';

/** A statement with one row, `is_kept`: false if something published in the epoch `epoch` is missing. */
export type Witness = { epoch: string; query: Query };

/**
 * The epoch of a database: while it stays the same, the database has lost nothing it had committed, so numbers, positions and cursors that
 * other processes keep are still valid. docs/decisions/database.md#the-epoch-of-a-database
 */
export type Epochs = {
  /** Names the present epoch; empty before it is known. */
  current(): string;
  /** Beginning of the epoch, in milliseconds since 1970: anything published before may be lost. -Infinity: the first epoch. */
  beganAt(): number;
  /** Registers the query with which new connections check a restarted server; undefined: there is nothing to check yet. */
  witnessedBy(witness: () => Witness | undefined): void;
  /** Called whenever another epoch is noticed. */
  onChange(listener: () => void): void;
  /** Reads the epoch, and begins another one if the database has lost what `witness` checks for. */
  check(db: { query: Ask }, witness?: Witness): Promise<void>;
};

/** The part of the epochs that the pools of a process use. */
export type ConnectionEpochs = {
  /** False: `meet` is to be awaited before the connection is used. */
  hasMet(client: pg.ClientBase): boolean;
  /** Checks on a new connection whether the database is in another epoch. `behindGate`: runs a statement on a connection with a gate. */
  meet(client: pg.ClientBase, behindGate?: RunOnClient): Promise<void>;
  /** Whether the connection belongs to an earlier epoch and must commit nothing: its server is not the one in use. */
  isOfEarlier(client: pg.ClientBase): boolean;
  /** Whether the connection must be replaced. Connections to a standby are, since it may become the primary. */
  isStale(client: pg.ClientBase): boolean;
};

export type RunOnClient = (query: Query) => Promise<pg.QueryResult>;

type Met = { id: string | undefined; at: number };

type State = EpochOptions & {
  log: Logger;
  now: () => number;
  known: Reading | undefined;
  /** When a server was last in the known epoch. */
  seenAt: number;
  witness: () => Witness | undefined;
  listeners: Set<() => void>;
  met: WeakMap<pg.ClientBase, Met>;
  turn: Promise<unknown>;
};

/** A connection to a standby is replaced after this time. Milliseconds. */
const STANDBY_MS = 1_000;
/**
 * A server of an earlier epoch is considered a former primary if another one was in the known epoch within this time: two servers that both
 * accept writes must not begin epochs in turn. Milliseconds.
 */
const FORMER_MS = 10_000;
const TRIES = 3;
const QUERY_TIMEOUT_MS = 3_000;

export type EpochOptions = {
  /** Whether the database may move to another server without a loss, as a cell does. Default: another server means a loss. */
  mayMove?: boolean;
};

export function createEpochs(
  log: Logger,
  now = () => performance.now(),
  { mayMove = false }: EpochOptions = {},
): Epochs & ConnectionEpochs {
  const state: State = {
    log,
    now,
    mayMove,
    known: undefined,
    seenAt: -Infinity,
    witness: () => undefined,
    listeners: new Set(),
    met: new WeakMap(),
    turn: Promise.resolve(),
  };
  return {
    current: () => state.known?.id ?? '',
    beganAt: () => state.known?.beganAt ?? -Infinity,
    witnessedBy: (witness) => void (state.witness = witness),
    onChange: (listener) => void state.listeners.add(listener),
    async check(db, witness) {
      await learn(state, (query) => db.query(query), witness);
    },
    hasMet: (client) => state.met.has(client),
    async meet(client, behindGate) {
      const id = await learn(state, askerOf(behindGate ?? ((query) => client.query(query))));
      state.met.set(client, { id, at: now() });
    },
    isOfEarlier(client) {
      const id = state.met.get(client)?.id;
      return id !== undefined && id !== state.known?.id;
    },
    isStale(client) {
      const met = state.met.get(client);
      if (!met) return false;
      if (met.id === undefined) return now() - met.at >= STANDBY_MS;
      return met.id !== state.known?.id;
    },
  };
}

function askerOf(run: RunOnClient): Ask {
  return async <Row>(query: Query) => {
    const limited = { ...query, query_timeout: QUERY_TIMEOUT_MS };
    try {
      return (await run(limited)).rows as Row[];
    } catch (error) {
      throw toConnectError(error);
    }
  };
}

/** The id of the present epoch, after updating the known state; undefined if the database does not have one. */
async function learn(state: State, ask: Ask, witness?: Witness): Promise<string | undefined> {
  const reading = await readEpoch(ask);
  if (!reading) return undefined;
  if (isSame(state.known, reading) && !(await isMissing(ask, reading, witness))) {
    noteStored(state, reading);
    state.seenAt = state.now();
    return reading.id;
  }
  // One at a time: what one call learns must not look like a loss to another.
  const settled = state.turn.then(() => settle(state, ask, witness));
  state.turn = settled.catch(() => undefined);
  return settled;
}

async function settle(state: State, ask: Ask, witness: Witness | undefined): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const reading = await readEpoch(ask);
    if (!reading) return undefined;
    refuseFormer(state, reading);
    const loss = await lossOf(state, ask, { reading, witness });
    if (!loss && !isUnnoted(reading) && !hasMoved(state, reading)) return adopt(state, reading);
    const noted = await note(ask, reading, loss !== undefined);
    if (noted === 'read-only') return undefined;
    if (!noted) continue;
    if (loss) state.log.error({ loss }, 'the database has lost what was committed; a new epoch begins');
    return adopt(state, { ...reading, ...noted, noted: reading.history || reading.noted });
  }
  throw new Error('the epoch of the database changes all the time');
}

async function note(ask: Ask, reading: Reading, begins: boolean) {
  try {
    return await noteEpoch(ask, reading, begins);
  } catch (error) {
    if (isReadOnly(error)) return 'read-only';
    throw error;
  }
}

function refuseFormer({ known, seenAt, now }: State, { id, beganAt }: Reading): void {
  if (!known || id === known.id || beganAt > known.beganAt || now() - seenAt >= FORMER_MS) return;
  throw new DatabaseError('the server is of an earlier epoch', Code.Unavailable);
}

function isUnnoted({ noted, history }: Reading): boolean {
  return noted === '' && history !== '';
}

function hasMoved({ mayMove = false }: State, { noted, history }: Reading): boolean {
  return mayMove && areOfTwoServers(noted, history);
}

/** Whether two histories belong to servers with different system identifiers, each with its own log. */
function areOfTwoServers(one: string, other: string): boolean {
  return one !== '' && other !== '' && one.split('/')[0] !== other.split('/')[0];
}

/** The reason to assume that the database has lost something; undefined: there is none. */
async function lossOf(
  state: State,
  ask: Ask,
  { reading, witness }: { reading: Reading; witness: Witness | undefined },
): Promise<string | undefined> {
  const { known, witness: own, mayMove } = state;
  const { id, beganAt, noted, history, startedAt, stored } = reading;
  if (!hasMoved(state, reading) && noted !== '' && history !== '' && noted !== history)
    return 'it continues another line of history';
  if (known && id !== known.id) return beganAt > known.beganAt ? undefined : 'it is older than its epoch';
  if (await isMissing(ask, reading, witness)) return 'it lacks what a gateway was told';
  if (!known || startedAt === known.startedAt) return undefined;
  const isOtherServer = mayMove && areOfTwoServers(known.history, history);
  if (!isOtherServer && stored !== undefined && known.stored !== undefined && stored < known.stored)
    return 'its log is shorter';
  return (await isMissing(ask, reading, own())) ? 'it lacks what this process has told' : undefined;
}

async function isMissing(ask: Ask, { id }: Reading, witness: Witness | undefined): Promise<boolean> {
  if (witness?.epoch !== id) return false;
  const [row] = await ask<{ is_kept: boolean }>(witness.query);
  return row?.is_kept === false;
}

function isSame(known: Reading | undefined, reading: Reading): boolean {
  return (
    known !== undefined &&
    known.id === reading.id &&
    known.startedAt === reading.startedAt &&
    known.history === reading.history &&
    !isUnnoted(reading)
  );
}

function noteStored(state: State, { startedAt, stored }: Reading): void {
  const { known } = state;
  if (!known || stored === undefined || known.startedAt !== startedAt) return;
  if (known.stored === undefined || stored > known.stored) state.known = { ...known, stored };
}

function adopt(state: State, reading: Reading): string {
  const { known } = state;
  const isOlder = known?.startedAt === reading.startedAt && (known.stored ?? 0n) > (reading.stored ?? 0n);
  state.seenAt = state.now();
  state.known = isOlder ? { ...reading, stored: known.stored } : reading;
  if (known && known.id !== reading.id) {
    state.log.warn({ before: known.id, epoch: reading.id }, 'the database is in another epoch');
    for (const listener of state.listeners) listener();
  }
  return reading.id;
}
