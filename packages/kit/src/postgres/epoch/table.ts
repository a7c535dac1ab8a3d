import { DatabaseError } from '../errors.ts';
import type { Query } from '../connection.ts';

/** Table of every service whose records have numbers that other processes keep, created by one of its migrations. */
export const DATABASE_EPOCH_TABLE_SQL = `
create table database_epoch (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  history text not null,
  began_at timestamptz
);
insert into database_epoch (id, history) values (gen_random_uuid(), '');
`;

/** Runs a statement on one particular connection, or on any, and returns its rows. */
export type Ask = <Row>(query: Query) => Promise<Row[]>;

/** The database's answer about its epoch and its server. */
export type Reading = {
  id: string;
  /** Beginning of the epoch, in milliseconds since the epoch of Unix; -Infinity for the first one. */
  beganAt: number;
  /** The history in which the epoch was recorded; empty while none is recorded. */
  noted: string;
  /** The present history: the server's system identifier and timeline; empty if the server does not reveal them. */
  history: string;
  /** Start time of the server. */
  startedAt: string;
  /** How far the server's log is on disk, in bytes; undefined if the server does not reveal it. */
  stored: bigint | undefined;
};

type Row = {
  id: string;
  began_at: number | null;
  noted: string;
  is_standby: boolean;
  started_at: string;
  history: string | null;
  stored: string | null;
};

/** The current timeline; that of the control file changes only with the next checkpoint. */
const OF_SERVER = `
    case when not pg_is_in_recovery()
      then (select system_identifier::text from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)
    end as history,
    case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text end as stored`;

function readingText(ofServer: string): string {
  return `
  select e.id, (extract(epoch from e.began_at) * 1000)::float8 as began_at, e.history as noted, pg_is_in_recovery() as is_standby,
    pg_postmaster_start_time()::text as started_at, ${ofServer}
  from database_epoch e`;
}

const FULL: Query = { name: 'database_epoch', text: readingText(OF_SERVER) };
/** Query for servers that do not reveal their log, such as some managed ones. */
const PLAIN: Query = {
  name: 'database_epoch_plain',
  text: readingText(`null::text as history, null::text as stored`),
};

/** Insufficient privilege, no such function, unsupported feature, or a setting or state that prevents it. */
const NOT_TOLD = new Set(['42501', '42883', '0A000', '55000']);
const NO_TABLE = '42P01';

/** Undefined on a standby, and in a database without the table. */
export async function readEpoch(ask: Ask): Promise<Reading | undefined> {
  const [row] = await askBest(ask);
  if (!row || row.is_standby) return undefined;
  return {
    id: row.id,
    beganAt: row.began_at ?? -Infinity,
    noted: row.noted,
    history: row.history ?? '',
    startedAt: row.started_at,
    stored: row.stored === null ? undefined : BigInt(row.stored),
  };
}

async function askBest(ask: Ask): Promise<Row[]> {
  try {
    return await ask<Row>(FULL);
  } catch (error) {
    const state = error instanceof DatabaseError ? error.sqlState : undefined;
    if (state === NO_TABLE) return [];
    if (state === undefined || !NOT_TOLD.has(state)) throw error;
    return ask<Row>(PLAIN);
  }
}

/**
 * Records the present history, and begins another epoch if requested. Undefined when another process has recorded something since the
 * reading.
 */
export async function noteEpoch(
  ask: Ask,
  { id, noted, history }: Reading,
  begins: boolean,
): Promise<Pick<Reading, 'id' | 'beganAt'> | undefined> {
  const [row] = await ask<{ id: string; began_at: number | null }>({
    name: 'note_database_epoch',
    text: `
      update database_epoch set history = $3,
        id = case when $4 then gen_random_uuid() else id end,
        began_at = case when $4 then greatest(clock_timestamp(), began_at + interval '1 ms') else began_at end
      where id = $1 and history = $2
      returning id, (extract(epoch from began_at) * 1000)::float8 as began_at`,
    values: [id, noted, history || noted, begins],
  });
  return row && { id: row.id, beganAt: row.began_at ?? -Infinity };
}
