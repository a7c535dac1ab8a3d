import {
  StaleEpochError,
  TABLES,
  type ListOptions,
  type Row,
  type Storage,
  type Store,
  type Table,
  type Write,
} from './store.ts';

type Group = { rows: Map<string, Row>; sorted: Row[] | undefined };
type TableOfRows = { rows: Map<string, Row>; groups: Map<string, Group> };
type Tables = ReadonlyMap<Table, TableOfRows>;
type Contents = { tables: Tables; blobs: Map<string, Blob>; epoch: number };

/**
 * A storage in memory, for programs that need nothing after their end and for tests. Two clients that share the same storage
 * share its records.
 *
 * @returns The storage, for `createClient`.
 * @example const client = createClient({ url, appId, identityToken, storage: memoryStorage() });
 */
export function memoryStorage(): Storage {
  const stores = new Map<string, Contents>();
  return {
    open(name) {
      const contents = stores.get(name) ?? emptyContents();
      stores.set(name, contents);
      return Promise.resolve(openStore(contents));
    },
    remove(name) {
      const contents = stores.get(name);
      if (contents) {
        contents.tables = emptyTables();
        contents.blobs.clear();
        // A client that still leads must not write records again.
        contents.epoch++;
      }
      return Promise.resolve();
    },
  };
}

function emptyContents(): Contents {
  return { tables: emptyTables(), blobs: new Map(), epoch: 0 };
}

function emptyTables(): Tables {
  return new Map(TABLES.map((table) => [table, { rows: new Map(), groups: new Map() }]));
}

function openStore(contents: Contents): Store {
  return {
    get: (table, keys) => {
      const { rows } = tableOf(contents, table);
      return Promise.resolve(keys.map((key) => rows.get(key)));
    },
    list: (table, options) => Promise.resolve(listRows(tableOf(contents, table), options)),
    write(writes, { epoch } = {}) {
      if (epoch !== undefined && epoch !== contents.epoch)
        return Promise.reject(new StaleEpochError(`epoch ${epoch} has ended`));
      for (const write of writes) applyWrite(tableOf(contents, write.table), write);
      return Promise.resolve();
    },
    claim: () => Promise.resolve(++contents.epoch),
    blobs: {
      put: (key, blob) => Promise.resolve(void contents.blobs.set(key, blob)),
      get: (key) => Promise.resolve(contents.blobs.get(key)),
      remove: (key) => Promise.resolve(void contents.blobs.delete(key)),
    },
    close: () => Promise.resolve(),
  };
}

function tableOf({ tables }: Contents, table: Table): TableOfRows {
  const found = tables.get(table);
  if (!found) throw new TypeError(`there is no table ${table}`);
  return found;
}

function applyWrite(table: TableOfRows, write: Write): void {
  if (write.kind === 'put') putRow(table, write.row);
  else if (write.kind === 'remove') removeRow(table, write.key);
  else
    for (const { key, order } of [...(table.groups.get(write.group)?.rows.values() ?? [])])
      if (order < (write.below ?? Infinity)) removeRow(table, key);
}

function putRow(table: TableOfRows, row: Row): void {
  const before = table.rows.get(row.key);
  if (before && before.group !== row.group) removeRow(table, row.key);
  table.rows.set(row.key, row);
  let group = table.groups.get(row.group);
  if (!group) table.groups.set(row.group, (group = { rows: new Map(), sorted: undefined }));
  group.rows.set(row.key, row);
  group.sorted = undefined;
}

function removeRow(table: TableOfRows, key: string): void {
  const row = table.rows.get(key);
  if (!row) return;
  table.rows.delete(key);
  const group = table.groups.get(row.group);
  if (!group) return;
  group.rows.delete(key);
  group.sorted = undefined;
  if (group.rows.size === 0) table.groups.delete(row.group);
}

function listRows({ groups }: TableOfRows, { group: name, below, limit = Infinity }: ListOptions): Row[] {
  const group = groups.get(name);
  if (!group) return [];
  group.sorted ??= [...group.rows.values()].sort(byOrderDescending);
  const rows = below === undefined ? group.sorted : group.sorted.filter(({ order }) => order < below);
  return rows.slice(0, limit);
}

function byOrderDescending(one: Row, other: Row): number {
  return other.order - one.order || (one.key < other.key ? 1 : -1);
}
