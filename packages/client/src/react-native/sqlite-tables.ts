import { FORMAT } from '../store/format.ts';
import type { SqliteDatabase } from './database.ts';

/** Shared by the versions of the library that read each other's records. */
const PREFIX = `parley${FORMAT}_`;
/** Stores by name, each with its latest epoch. */
export const STORES = `${PREFIX}store`;
export const ROWS = `${PREFIX}row`;
export const BLOBS = `${PREFIX}blob`;

const STATEMENTS = [
  // Another process of the application, such as one that shows pushes, may have the database open too.
  'pragma busy_timeout = 5000',
  'pragma journal_mode = wal',
  'pragma synchronous = normal',
  `create table if not exists ${STORES} (
     id integer primary key,
     name text not null unique,
     epoch integer not null
   )`,
  `create table if not exists ${ROWS} (
     store integer not null,
     kind text not null,
     key text not null,
     place text not null,
     rank real not null,
     value text not null,
     primary key (store, kind, key)
   ) without rowid`,
  `create index if not exists ${ROWS}_place on ${ROWS} (store, kind, place, rank, key)`,
  `create table if not exists ${BLOBS} (
     store integer not null,
     key text not null,
     type text not null,
     size integer not null,
     name text,
     uri text,
     bytes blob,
     primary key (store, key)
   )`,
];

/** Makes what is missing. */
export async function createTables(run: SqliteDatabase['run']): Promise<void> {
  for (const statement of STATEMENTS) await run(statement, []);
}
