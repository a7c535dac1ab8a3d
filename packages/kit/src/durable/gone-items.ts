import type { Sql, Tx } from '../postgres/index.ts';

/**
 * Table of every service with a list from which items are deleted. It keeps the items' former places, so that a client can still request
 * the page after a deleted item. `list_id` identifies the list in a form the service chooses; `place` is the sort key of the list, null if
 * that is the id.
 */
export const GONE_ITEM_TABLE_SQL = `
create table gone_item (
  app_id uuid not null,
  list_id text not null,
  id uuid not null,
  place timestamptz,
  gone_at timestamptz not null default clock_timestamp(),
  primary key (app_id, list_id, id)
);
create index gone_item_by_age on gone_item (gone_at);
`;

/**
 * SQL that records the places of deleted rows, to be added to the statement that deletes them. `deleted`: the name of a `with` query.
 * `list` and `place`: SQL over its columns. An item that is deleted, created again and deleted has its latest place.
 */
export function keepPlaces(deleted: string, { list, place }: { list: string; place?: string }): string {
  return `
    insert into gone_item (app_id, list_id, id, place)
    select app_id, ${list}, id, ${place ?? 'null'} from ${deleted} order by app_id, ${list}, id
    on conflict (app_id, list_id, id) do update set place = excluded.place, gone_at = excluded.gone_at`;
}

export type GoneItem = {
  /** Milliseconds since the epoch; null if the list is sorted by id. */
  place: number | null;
};

/** The place of a deleted item; undefined: the list had no such item within the last day. */
export async function findGoneItem(
  sql: Sql,
  { appId, listId, id }: { appId: string; listId: string; id: string },
): Promise<GoneItem | undefined> {
  const [row] = await sql.query<GoneItem>({
    name: 'find_gone_item',
    text: 'select place from gone_item where app_id = $1 and list_id = $2 and id = $3',
    values: [appId, listId, id],
  });
  return row;
}

// docs/protocol/requests.md#lists promises a day. By the clock of the database, which wrote the time.  The time of the statement, since no index finds what
// is compared with a time that moves.
const DELETE_OLDER = {
  name: 'gone_item_forget',
  text: `
    delete from gone_item where (app_id, list_id, id, ctid) in (
      select app_id, list_id, id, ctid from gone_item
      where gone_at < statement_timestamp() - interval '25 hours' limit $1)`,
};

const CHUNK = 5000;

/** Forgets items that were deleted more than a day ago; returns how many. */
export async function forgetGoneItems(db: { execute: Tx['execute'] }): Promise<number> {
  for (let total = 0; ;) {
    const count = await db.execute({ ...DELETE_OLDER, values: [CHUNK] });
    total += count;
    if (count < CHUNK) return total;
  }
}
