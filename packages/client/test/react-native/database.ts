import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { SqliteValue } from '../../src/react-native/database.ts';

/** The database of Node behind the functions of `expo-sqlite`. */
export function openAsExpo(file: string) {
  const database = new DatabaseSync(file);
  return {
    getAllAsync: async (sql: string, values: SqliteValue[]): Promise<unknown[]> => all(database, sql, values),
  };
}

/** The database behind the functions of `op-sqlite`, which gives blobs as an `ArrayBuffer`. */
export function openAsOp(file: string) {
  const database = new DatabaseSync(file);
  return {
    execute: async (sql: string, values: SqliteValue[]) => ({
      rows: all(database, sql, values).map((row) => Object.fromEntries(Object.entries(row).map(withBuffer))),
    }),
  };
}

function all(database: DatabaseSync, sql: string, values: SqliteValue[]): Record<string, unknown>[] {
  return database.prepare(sql).all(...(values as SQLInputValue[]));
}

function withBuffer([name, value]: [string, unknown]): [string, unknown] {
  return [name, value instanceof Uint8Array ? new Uint8Array(value).buffer : value];
}
