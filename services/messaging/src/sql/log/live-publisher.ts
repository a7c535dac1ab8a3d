import { lookUp } from '@parley/kit/postgres/look-up';
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

export async function deletePublisher(sql: Sql, id: string): Promise<void> {
  await sql.execute({ text: 'delete from live_publisher where id = $1', values: [id] });
}

/** Times in milliseconds. `unseenMs`: for how long the process has not been seen. */
export type LostPublisher = { id: string; published_until: number; unseenMs: number };

/** Processes that have not been seen for some time. */
export function listLostPublishers(sql: Sql, unseenMs: number): Promise<LostPublisher[]> {
  return sql.query<LostPublisher>({
    name: 'list_lost_publishers',
    text: `
      select id, (extract(epoch from published_until) * 1000)::float8 as published_until, unseen as "unseenMs" from live_publisher,
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
  /** Null: the conversation was removed with its application. */
  audience_shards: string | null;
};

/** A conversation, in the order of applications and ids. */
export type TailPlace = { appId: string; conversationId: string };
/** Times in milliseconds; `until` is excluded. */
export type TailQuery = { since: number; until: number; after: TailPlace; limit: number };

/** The conversations that changed between two times, after one, with their first and last change number of that time. */
export function listTails(sql: Sql, { since, until, after, limit }: TailQuery): Promise<TailRow[]> {
  return sql.query<TailRow>({
    name: 'list_tails',
    text: `
      select tail.app_id, tail.conversation_id, tail.first_seq, tail.seq, c.audience_shards from (
        select app_id, conversation_id, min(seq) as first_seq, max(seq) as seq from (
          select app_id, conversation_id, seq from change
          where created_at >= to_timestamp($1::float8 / 1000) and created_at < to_timestamp($2::float8 / 1000)
          offset 0) recent
        where (app_id, conversation_id) > ($3::uuid, $4::uuid)
        group by app_id, conversation_id order by app_id, conversation_id limit $5) tail
      left join ${lookUp('conversation', 'c', 'c.app_id = tail.app_id and c.id = tail.conversation_id')} on true
      order by tail.app_id, tail.conversation_id`,
    values: [since, until, after.appId, after.conversationId, limit],
  });
}
