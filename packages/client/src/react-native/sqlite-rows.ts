import type { ListOptions, Row, Table, Write } from '../store/store.ts';
import type { SqliteDatabase, SqliteValue } from './database.ts';
import { ROWS } from './sqlite-tables.ts';

type Run = SqliteDatabase['run'];
type Place = { readonly store: number; readonly table: Table };

/** Statements have at most 999 values in older versions of SQLite, and a row has six. */
const ROWS_A_STATEMENT = 150;
const KEYS_A_STATEMENT = 900;

/** The rows with these keys, in the order of the keys. */
export async function getRows(
  run: Run,
  { store, table }: Place,
  keys: readonly string[],
): Promise<(Row | undefined)[]> {
  const found = new Map<string, Row>();
  for (const some of chunks(keys, KEYS_A_STATEMENT)) {
    const marks = some.map(() => '?').join();
    const rows = await run(
      `select key, place, rank, value from ${ROWS} where store = ? and kind = ? and key in (${marks})`,
      [store, table, ...some],
    );
    for (const row of rows.map(toRow)) found.set(row.key, row);
  }
  return keys.map((key) => found.get(key));
}

/** The rows of a group, the greatest order first, those of the same order by their key, the greatest first. */
export async function listRows(run: Run, { store, table }: Place, options: ListOptions): Promise<Row[]> {
  const { group, limit } = options;
  const below = belowOf(options);
  const rows = await run(
    `select key, place, rank, value from ${ROWS} where store = ? and kind = ? and place = ?${below.sql}
     order by rank desc, key desc limit ?`,
    [store, table, group, ...below.values, limit ?? -1],
  );
  return rows.map(toRow);
}

/** Makes the changes in their order, in the transaction of the caller. */
export async function writeRows(run: Run, store: number, writes: readonly Write[]): Promise<void> {
  let puts: SqliteValue[][] = [];
  async function put(): Promise<void> {
    for (const some of chunks(puts, ROWS_A_STATEMENT))
      await run(
        `insert or replace into ${ROWS} (store, kind, key, place, rank, value)
         values ${some.map(() => '(?,?,?,?,?,?)').join()}`,
        some.flat(),
      );
    puts = [];
  }
  for (const write of writes) {
    if (write.kind === 'put') {
      const { key, group, order, value } = write.row;
      puts.push([store, write.table, key, group, order, JSON.stringify(value) ?? 'null']);
      continue;
    }
    await put();
    await removeRows(run, store, write);
  }
  await put();
}

async function removeRows(run: Run, store: number, write: Exclude<Write, { kind: 'put' }>): Promise<void> {
  const condition = `delete from ${ROWS} where store = ? and kind = ?`;
  if (write.kind === 'remove')
    return void (await run(`${condition} and key = ?`, [store, write.table, write.key]));
  const below = belowOf(write);
  await run(`${condition} and place = ?${below.sql}`, [store, write.table, write.group, ...below.values]);
}

/** Values that are no number of SQLite's would be null on the way. */
function belowOf({ below }: { readonly below?: number }): { sql: string; values: number[] } {
  if (below === undefined || below === Infinity) return { sql: '', values: [] };
  return { sql: ' and rank < ?', values: [below] };
}

function toRow(row: Readonly<Record<string, unknown>>): Row {
  return {
    key: String(row['key']),
    group: String(row['place']),
    order: Number(row['rank']),
    value: JSON.parse(String(row['value'])) as unknown,
  };
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
