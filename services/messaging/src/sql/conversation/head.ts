import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';

export type StoredHead = { seq: number; audience_shards: string };

/** The last change number and the shards of each conversation, in the order of the keys; undefined for one that does not exist. */
export async function listHeads(
  sql: Sql,
  keys: readonly { appId: string; conversationId: string }[],
): Promise<(StoredHead | undefined)[]> {
  const rows = await sql.query<StoredHead & { place: number }>({
    name: 'list_heads',
    text: `
      select key.place::float8 as place, c.seq, c.audience_shards
      from unnest($1::uuid[], $2::uuid[]) with ordinality as key (app_id, id, place)
      join ${lookUp('conversation', 'c', 'c.app_id = key.app_id and c.id = key.id')} on true`,
    values: [keys.map(({ appId }) => appId), keys.map(({ conversationId }) => conversationId)],
  });
  const byPlace = new Map(rows.map(({ place, ...head }) => [place, head]));
  return keys.map((_, index) => byPlace.get(index + 1));
}
