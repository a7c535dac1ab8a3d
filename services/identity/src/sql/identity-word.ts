import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { searchedTexts } from '@parley/domain/user-search';
import type { Sql, Tx } from '@parley/kit/postgres';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';

type Place = Pick<Identity, 'appId' | 'userId'>;

/** The words of an identity; a deleted one has none. */
export function wordsOf({ deleted, userId, displayName }: Identity): string[] {
  return deleted ? [] : searchedTexts({ userId, ...(displayName !== undefined && { displayName }) });
}

/**
 * SQL of common table expressions that write the words of an identity. `$1` and `$2` are its application and user id, and `written` is its row, if
 * the statement has written it. `words`: a parameter. Words that stay as they are cost no write.
 */
export function writingWords(words: string): string {
  return `
      gone as (
        delete from identity_word
        where app_id = $1 and user_id = $2 and word <> all (${words}::text[]) and exists (select from written)),
      kept as (
        insert into identity_word (app_id, word, user_id, type, suspended)
        select written.app_id, word, written.user_id, written.type, written.suspended
        from written cross join unnest(${words}::text[]) as word
        ${ON_CONFLICT})`;
}

const ON_CONFLICT = `on conflict (app_id, word, user_id) do update
        set type = excluded.type, suspended = excluded.suspended
        where identity_word.type <> excluded.type or identity_word.suspended <> excluded.suspended`;

/** SQL of `words_version` when the version of an identity rises to `version` and its words stay. */
export function wordsVersionAt(version: string): string {
  return `words_version = case when words_version = version then ${version} else words_version end`;
}

/**
 * Writes the words of at most `limit` identities after one that have none, or those of an earlier version. Returns the last of them; undefined:
 * there were fewer. A run that goes on after it does not read the entries again that it has removed from the index.
 */
export async function writeMissingWords(tx: Tx, after: Place, limit: number): Promise<Place | undefined> {
  const rows = await tx.query<JsonValue>({
    name: 'lock_identities_without_words',
    text: `
      select app_id, user_id, type, display_name, suspended, deleted from identity
      where words_version is distinct from version and (app_id, user_id) > ($1::uuid, $2::text)
      order by app_id, user_id limit $3 for no key update skip locked`,
    values: [after.appId, after.userId, limit],
  });
  const identities = rows.map((row) => fromJson(IdentitySchema, row));
  if (identities.length > 0) await writeWords(tx, identities);
  return identities.length < limit ? undefined : identities.at(-1);
}

async function writeWords(sql: Sql, identities: readonly Identity[]): Promise<void> {
  const words = identities.flatMap((identity) => wordsOf(identity).map((word) => ({ identity, word })));
  await sql.execute({
    name: 'write_words',
    text: `
      with written as (
        update identity set words_version = version where app_id = any ($1::uuid[]) and ctid = any (array(
          select i.ctid from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
          cross join lateral (
            select i.ctid from identity i where i.app_id = ref.app_id and i.user_id = ref.user_id offset 0) as i))
        returning app_id, user_id, type, suspended),
      word as materialized (select * from unnest($3::uuid[], $4::text[], $5::text[]) as word (app_id, user_id, word)),
      gone as (
        delete from identity_word where app_id = any ($1::uuid[]) and ctid = any (array(
          select w.ctid from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
          cross join lateral (
            select w.ctid, w.word from identity_word w
            where w.app_id = ref.app_id and w.user_id = ref.user_id offset 0) as w
          where (ref.app_id, ref.user_id, w.word) not in (select app_id, user_id, word from word))))
      insert into identity_word (app_id, word, user_id, type, suspended)
      select app_id, word, user_id, type, suspended from word join written using (app_id, user_id)
      ${ON_CONFLICT}`,
    values: [
      identities.map(({ appId }) => appId),
      identities.map(({ userId }) => userId),
      words.map(({ identity }) => identity.appId),
      words.map(({ identity }) => identity.userId),
      words.map(({ word }) => word),
    ],
  });
}
