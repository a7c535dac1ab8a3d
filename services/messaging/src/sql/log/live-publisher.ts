import type { Sql } from '@parley/kit/postgres';

/** Records that a process is alive, and the time by its clock before which it has published all that it committed. */
export async function upsertPublisher(sql: Sql, id: string, publishedUntil: number): Promise<void> {
  await sql.execute({
    name: 'upsert_publisher',
    text: `
      insert into live_publisher (id, published_until) values ($1, to_timestamp($2::float8 / 1000))
      on conflict (id) do update set published_until = excluded.published_until, seen_at = clock_timestamp()`,
    values: [id, publishedUntil],
  });
}

export async function deletePublishers(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.execute({ text: 'delete from live_publisher where id = any ($1::uuid[])', values: [ids] });
}

/** Times in milliseconds. `unseenMs`: for how long the process has not been seen. */
export type LostPublisher = { id: string; published_until: number; unseenMs: number };

/** Processes that have not been seen for some time. */
export function listLostPublishers(sql: Sql, unseenMs: number): Promise<LostPublisher[]> {
  return sql.query<LostPublisher>({
    name: 'list_lost_publishers',
    text: `
      select id, published_until, unseen as "unseenMs" from live_publisher,
        lateral (select (extract(epoch from clock_timestamp() - seen_at) * 1000)::float8 as unseen) as since
      where unseen > $1`,
    values: [unseenMs],
  });
}

export type TailRow = {
  app_id: string;
  conversation_id: string;
  first_seq: number;
  seq: number;
  audience_shards: string;
};

/** The conversations that changed between two times (milliseconds), with their first and last change number of that time. */
export function listTails(sql: Sql, { since, until }: { since: number; until: number }): Promise<TailRow[]> {
  return sql.query<TailRow>({
    text: `
      select tail.*, c.audience_shards from (
        select app_id, conversation_id, min(seq) as first_seq, max(seq) as seq from change
        where created_at >= to_timestamp($1::float8 / 1000) and created_at <= to_timestamp($2::float8 / 1000)
        group by app_id, conversation_id) tail
      join conversation c on c.app_id = tail.app_id and c.id = tail.conversation_id`,
    values: [since, until],
  });
}
