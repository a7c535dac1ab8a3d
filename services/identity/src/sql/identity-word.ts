import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { searchedTexts } from '@parley/domain/user-search';
import type { Sql, Tx } from '@parley/kit/postgres';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';

/** The words of an identity; a deleted one has none. */
export function wordsOf({ deleted, userId, displayName }: Identity): string[] {
  return deleted ? [] : searchedTexts({ userId, ...(displayName !== undefined && { displayName }) });
}

/**
 * SQL of common table expressions that write the words of the one identity in `written`, whose row the statement has locked or made.
 * `words`: a parameter. Words that stay as they are cost no write.
 */
export function writingWords(words: string): string {
  return `
      gone as (
        delete from identity_word w using written
        where w.app_id = written.app_id and w.user_id = written.user_id and w.word <> all (${words}::text[])),
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

/** Writes the words of some identities that have none, or those of an earlier version; returns how many identities. */
export async function writeMissingWords(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.query<JsonValue>({
    name: 'lock_identities_without_words',
    text: `
      select app_id, user_id, type, display_name, suspended, deleted from identity
      where words_version is distinct from version
      order by app_id, user_id limit $1 for no key update skip locked`,
    values: [limit],
  });
  const identities = rows.map((row) => fromJson(IdentitySchema, row));
  if (identities.length > 0) await writeWords(tx, identities);
  return identities.length;
}

async function writeWords(sql: Sql, identities: readonly Identity[]): Promise<void> {
  const words = identities.flatMap((identity) => wordsOf(identity).map((word) => ({ identity, word })));
  await sql.execute({
    name: 'write_words',
    text: `
      with written as (
        update identity i set words_version = i.version
        from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
        where i.app_id = ref.app_id and i.user_id = ref.user_id
        returning i.app_id, i.user_id, i.type, i.suspended),
      word as (select * from unnest($3::uuid[], $4::text[], $5::text[]) as word (app_id, user_id, word)),
      gone as (
        delete from identity_word w using written
        where w.app_id = written.app_id and w.user_id = written.user_id and not exists (
          select from word where word.app_id = w.app_id and word.user_id = w.user_id and word.word = w.word))
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
