import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql, Tx } from '@parley/kit/postgres';

// Places of conversations in a user's list by last message when they were the end of a page that the user was shown.
// docs/decisions/conversations.md#pages-by-last-message

/** SQL of the kept place of participant `p`'s conversation, if it is at most a day old at the time $6. */
export const KEPT_PLACE = `
          select listed_at from page_end e
          where e.app_id = p.app_id and e.user_id = p.user_id and e.conversation_id = p.conversation_id
            and e.shown_at > to_timestamp($6::float8 / 1000) - interval '1 day'`;

/** SQL of the conversations of `page` whose kept place differs, and of its last one unless its place was kept within the hour. */
export const UNKEPT_PLACE = `
          select from page
          left join ${lookUp('page_end', 'e', 'e.app_id = $1 and e.user_id = $2 and e.conversation_id = page.id')} on true
          where e.listed_at <> page.at
            or (page.is_last and (e.shown_at is null or e.shown_at < to_timestamp($6::float8 / 1000) - interval '1 hour'))`;

export type ShownPage = {
  appId: string;
  userId: string;
  /** Ids in the order of the list. */
  ids: readonly string[];
  /** Microseconds. */
  places: readonly number[];
  /** Milliseconds. */
  now: number;
};

/** Keeps the place of a page's last conversation, and the present places of those that ended a page before. */
export async function keepPageEnds(sql: Sql, page: ShownPage): Promise<void> {
  await sql.execute({
    name: 'keep_page_ends',
    text: `
      insert into page_end (app_id, user_id, conversation_id, listed_at, shown_at)
      select $1, $2, shown.id, to_timestamp(shown.place / 1000000), to_timestamp($6::float8 / 1000)
      from unnest($3::uuid[], $4::float8[]) as shown (id, place)
      where shown.id = $5 or exists (
        select from page_end e where e.app_id = $1 and e.user_id = $2 and e.conversation_id = shown.id)
      order by shown.id
      on conflict (app_id, user_id, conversation_id) do update
      set listed_at = excluded.listed_at, shown_at = excluded.shown_at where page_end.shown_at <= excluded.shown_at`,
    values: [page.appId, page.userId, page.ids, page.places, page.ids.at(-1), page.now],
  });
}

const CHUNK = 5000;

/** Deletes rows shown before a time. Milliseconds. */
export async function deletePageEndsBefore(db: { execute: Tx['execute'] }, time: number): Promise<void> {
  for (let count = CHUNK; count === CHUNK;) {
    count = await db.execute({
      name: 'delete_page_ends_before',
      text: `
        delete from page_end where (app_id, user_id, conversation_id, ctid) in (
          select app_id, user_id, conversation_id, ctid from page_end
          where shown_at < to_timestamp($1::float8 / 1000) limit $2)`,
      values: [time, CHUNK],
    });
  }
}
