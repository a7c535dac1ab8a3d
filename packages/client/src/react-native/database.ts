/** A value of a column, or of a parameter. */
export type SqliteValue = string | number | null | Uint8Array;

/** A database of SQLite, for Parley alone. */
export type SqliteDatabase = {
  /**
   * Runs a statement with values for its question marks. Statements run in the order in which they are given, on one connection.
   *
   * @param sql One statement.
   * @param values The values of its question marks, in their order.
   * @returns The rows, by the names of their columns; none of a statement that changes something.
   * @throws The error of SQLite, of a statement that it refuses.
   * @example
   * const rows = await database.run('select body from record where name = ?', ['unsent']);
   */
  run(sql: string, values: readonly SqliteValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
};

/** The database of each connection. Storages that are made with the same connection take turns. */
const databases = new WeakMap<object, SqliteDatabase>();

function databaseOf(connection: object, run: SqliteDatabase['run']): SqliteDatabase {
  const known = databases.get(connection) ?? { run };
  databases.set(connection, known);
  return known;
}

type ExpoDatabase = { getAllAsync(sql: string, values: SqliteValue[]): Promise<unknown[]> };

/**
 * A database of `expo-sqlite`.
 *
 * @param database What `openDatabaseAsync` gives.
 * @returns The database, for `sqliteStorage`.
 * @example expoDatabase(await SQLite.openDatabaseAsync('parley.db'))
 */
export function expoDatabase(database: ExpoDatabase): SqliteDatabase {
  return databaseOf(
    database,
    async (sql, values) => (await database.getAllAsync(sql, [...values])) as Record<string, unknown>[],
  );
}

type OpDatabase = { execute(sql: string, values: SqliteValue[]): Promise<{ rows?: unknown[] }> };

/**
 * A database of `@op-engineering/op-sqlite`.
 *
 * @param database What `open` gives.
 * @returns The database, for `sqliteStorage`.
 * @example opDatabase(open({ name: 'parley.db' }))
 */
export function opDatabase(database: OpDatabase): SqliteDatabase {
  return databaseOf(
    database,
    async (sql, values) =>
      ((await database.execute(sql, [...values])).rows ?? []) as Record<string, unknown>[],
  );
}
