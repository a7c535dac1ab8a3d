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
    open: async (name) => {
      const contents = stores.get(name) ?? emptyContents();
      stores.set(name, contents);
      return openStore(contents);
    },
    remove: async (name) => {
      const contents = stores.get(name);
      // A client that still leads must not write records again.
      if (contents) Object.assign(contents, emptyContents(), { epoch: contents.epoch + 1 });
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
    get: async (table, keys) => keys.map((key) => tableOf(contents, table).rows.get(key)),
    list: async (table, options) => listRows(tableOf(contents, table), options),
    write: async (writes, { epoch } = {}) => {
      if (epoch !== undefined && epoch !== contents.epoch)
        throw new StaleEpochError(`epoch ${epoch} has ended`);
      for (const write of writes) applyWrite(tableOf(contents, write.table), write);
    },
    claim: async () => ++contents.epoch,
    blobs: {
      put: async (key, blob) => void contents.blobs.set(key, blob),
      get: async (key) => contents.blobs.get(key),
      remove: async (key) => void contents.blobs.delete(key),
    },
    close: async () => undefined,
  };
}

function tableOf({ tables }: Contents, table: Table): TableOfRows {
  return tables.get(table)!;
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
