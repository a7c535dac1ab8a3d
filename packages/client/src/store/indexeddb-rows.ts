import { resultOf } from './indexeddb-connection.ts';
import type { ListOptions, Row, Table, Write } from './store.ts';

/** The object store for all tables, so that a new table does not require a new version of the database. */
export const ROWS = 'rows';
/** The object store of single values, such as the epoch. */
export const VALUES = 'values';

/** A row in its stored form. `rank` is its order, negated, so that a list begins with the greatest order. */
export type RowRecord = { table: Table; key: string; group: string; rank: number; value: unknown };

/** The row of a record. */
export function toRow({ key, group, rank, value }: RowRecord): Row {
  return { key, group, order: rank === 0 ? 0 : -rank, value };
}

/** The records of a group, by descending order; records with the same order by descending key. */
export async function listRecords(
  transaction: IDBTransaction,
  table: Table,
  options: ListOptions,
): Promise<RowRecord[]> {
  const { group, limit } = options;
  const index = transaction.objectStore(ROWS).index('place');
  const found = resultOf<RowRecord[]>(index.getAll(rangeOf(table, options), limit));
  if (limit === undefined) transaction.commit();
  const records = await found;
  const last = records.at(-1);
  if (limit === undefined || last === undefined || records.length < limit) return records.sort(byRankThenKey);
  // The index sorts records with the last order by ascending key, so all of them are read to find those that belong here.
  const { rank } = last;
  const tied = await resultOf<RowRecord[]>(index.getAll(IDBKeyRange.only([table, group, rank])));
  const before = records.filter((record) => record.rank < rank);
  return [...before, ...tied].sort(byRankThenKey).slice(0, limit);
}

/** Applies the changes in order. */
export async function writeRecords(rows: IDBObjectStore, writes: readonly Write[]): Promise<void> {
  for (const write of writes) {
    if (write.kind === 'put') {
      const { key, group, order, value } = write.row;
      rows.put({ table: write.table, key, group, rank: -order, value } satisfies RowRecord);
    } else if (write.kind === 'remove') {
      rows.delete([write.table, write.key]);
    } else {
      const { table, group, below } = write;
      const range = rangeOf(table, below === undefined ? { group } : { group, below });
      for (const key of await resultOf(rows.index('place').getAllKeys(range))) rows.delete(key);
    }
  }
}

function rangeOf(table: Table, { group, below }: ListOptions): IDBKeyRange {
  // Arrays sort after all numbers.
  const end = [table, group, []];
  if (below === undefined || below === Infinity) return IDBKeyRange.bound([table, group], end);
  return IDBKeyRange.bound([table, group, -below], end, true);
}

function byRankThenKey(one: RowRecord, other: RowRecord): number {
  return one.rank - other.rank || (one.key < other.key ? 1 : -1);
}
