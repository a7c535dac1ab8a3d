import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { wordsOf, wordsVersionAt, writingWords } from './identity-word.ts';

const COLUMNS = `
  app_id, user_id, type, display_name, avatar_url, first_name, last_name, phone_number, email_address, public_key,
  metadata, version, suspended, deleted, incarnation`;

const WRITTEN_COLUMNS = `app_id, user_id, type, display_name, avatar_url, first_name, last_name, phone_number, email_address,
  public_key, metadata, suspended, deleted`;

export type UserKey = { appId: string; userId: string };

/** Identities of the users, deleted ones too. */
export async function findIdentities(sql: Sql, appId: string, userIds: string[]): Promise<Identity[]> {
  return toIdentities(
    await sql.query<JsonValue>({
      name: 'find_identities',
      text: `select ${COLUMNS} from identity where app_id = $1 and user_id = any ($2::text[])`,
      values: [appId, userIds],
    }),
  );
}

/** Upper bound of an encoded identity's size without its texts. Bytes. */
const IDENTITY_BYTES = 256;

const ENCODED_SIZE = `${IDENTITY_BYTES} + octet_length(user_id) + coalesce(octet_length(display_name), 0)
  + coalesce(octet_length(avatar_url), 0) + coalesce(octet_length(first_name), 0)
  + coalesce(octet_length(last_name), 0) + coalesce(octet_length(phone_number), 0)
  + coalesce(octet_length(email_address), 0) + coalesce(octet_length(public_key), 0)
  + coalesce(octet_length(metadata::text), 0)`;

export type NameRow = { user_id: string; display_name: string | null; avatar_url: string | null };

export type FittingIdentities = {
  identities: Identity[];
  /** How many of the user ids were looked up; the identities of the rest did not fit. */
  count: number;
};

/** Identities in the order of the user ids, up to a budget of bytes, but at least the first. */
export async function findFittingIdentities(
  sql: Sql,
  { appId, userIds, budget }: { appId: string; userIds: readonly string[]; budget: number },
): Promise<FittingIdentities> {
  const rows = await sql.query<JsonObject>({
    name: 'find_fitting_identities',
    text: `
      select ${COLUMNS}, cut_at from (
        select sized.*, min(place) filter (where upto > $3::int8 and number > 1) over () as cut_at
        from (
          select found.*, row_number() over (order by place) as number, sum(bytes) over (order by place) as upto
          from (
            select identity.*, array_position($2::text[], user_id) as place, ${ENCODED_SIZE} as bytes
            from identity where app_id = $1 and user_id = any ($2::text[])
          ) found
        ) sized
      ) fitting
      where cut_at is null or place < cut_at
      order by place`,
    values: [appId, userIds, budget],
  });
  const cutAt = rows[0]?.cut_at;
  const identities = toIdentities(rows.map(({ cut_at: _, ...row }) => row));
  return { identities, count: typeof cutAt === 'number' ? cutAt - 1 : userIds.length };
}

/** Names and avatars of users. */
export function listNames(sql: Sql, appId: string, userIds: readonly string[]): Promise<NameRow[]> {
  return sql.query<NameRow>({
    name: 'list_names',
    text: `
      select user_id, display_name, avatar_url from identity where app_id = $1 and user_id = any ($2::text[])`,
    values: [appId, userIds],
  });
}

/**
 * User ids that have no identity, or a deleted one. Takes 37 ms for 20,000; a look-up for each takes 75 ms, and a
 * join may be planned as a nested loop of 20,000 by 20,000.
 */
export async function findUnknownUserIds(
  sql: Sql,
  appId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'find_unknown_user_ids',
    text: `
      select unnest($2::text[]) as user_id
      except
      select user_id from identity where app_id = $1 and user_id = any ($2::text[]) and not deleted`,
    values: [appId, userIds],
  });
  return rows.map((row) => row.user_id);
}

export type ReturnedRow = { user_id: string; incarnation: number };

/** Users who were erased and came back. They are few. */
export function findReturned(sql: Sql, appId: string, userIds: readonly string[]): Promise<ReturnedRow[]> {
  return sql.query<ReturnedRow>({
    name: 'find_returned',
    text: `
      select user_id, incarnation from identity
      where app_id = $1 and incarnation > 0 and not deleted and user_id = any ($2::text[])`,
    values: [appId, userIds],
  });
}

/**
 * Locks the users who exist against changes and erasure until the end of the transaction, in the order of user ids,
 * and returns them.
 */
export async function shareIdentities(
  sql: Sql,
  appId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'share_identities',
    text: `
      select user_id from identity where app_id = $1 and user_id = any ($2::text[]) and not deleted
      order by user_id for share`,
    values: [appId, userIds],
  });
  return new Set(rows.map((row) => row.user_id));
}

/** The incarnation of an identity, deleted or not; undefined if there is no identity. */
export async function findIncarnation(sql: Sql, { appId, userId }: UserKey): Promise<number | undefined> {
  const rows = await sql.query<{ incarnation: number }>({
    name: 'find_incarnation',
    text: `select incarnation from identity where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
  return rows[0]?.incarnation;
}

/**
 * Locks a user against changes until the end of the transaction; answers their incarnation, or undefined if they do
 * not exist.
 */
export async function shareIncarnation(sql: Sql, { appId, userId }: UserKey): Promise<number | undefined> {
  const rows = await sql.query<{ incarnation: number }>({
    name: 'share_incarnation',
    text: `select incarnation from identity where app_id = $1 and user_id = $2 and not deleted for share`,
    values: [appId, userId],
  });
  return rows[0]?.incarnation;
}

/** Locks an identity, deleted or not, for a change until the end of the transaction. */
export async function lockIdentity(sql: Sql, { appId, userId }: UserKey): Promise<Identity | undefined> {
  const rows = await sql.query<JsonValue>({
    name: 'lock_identity',
    text: `select ${COLUMNS} from identity where app_id = $1 and user_id = $2 for no key update`,
    values: [appId, userId],
  });
  return toIdentities(rows)[0];
}

/** Inserts an identity with version 1, and its words; returns undefined if the user has one already, deleted or not. */
export async function insertIdentity(sql: Sql, identity: Identity): Promise<Identity | undefined> {
  const rows = await sql.query<JsonValue>({
    name: 'insert_identity',
    text: `
      with written as (
        insert into identity (${WRITTEN_COLUMNS}, words_version)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1)
        on conflict do nothing
        returning ${COLUMNS}), ${writingWords('$14')}
      select * from written`,
    values: valuesOf(identity),
  });
  return toIdentities(rows)[0];
}

/** Sets every field and the words, and raises the version. The row must be locked. */
export async function updateIdentity(sql: Sql, identity: Identity): Promise<Identity> {
  const rows = await sql.query<JsonValue>({
    name: 'update_identity',
    text: `
      with written as (
        update identity set type = $3, display_name = $4, avatar_url = $5, first_name = $6, last_name = $7,
          phone_number = $8, email_address = $9, public_key = $10, metadata = $11, suspended = $12, deleted = $13,
          version = version + 1, words_version = version + 1
        where app_id = $1 and user_id = $2
        returning ${COLUMNS}), ${writingWords('$14')}
      select * from written`,
    values: valuesOf(identity),
  });
  const [updated] = toIdentities(rows);
  if (!updated) throw new Error('the identity to update does not exist');
  return updated;
}

/**
 * Begins the next incarnation of a locked, deleted identity, no lower than `atLeast`, and raises its version. An identity that has not
 * changed since its last erasure keeps both, so that a repeated call answers the same incarnation.
 */
export async function renewIncarnation(
  sql: Sql,
  { appId, userId, atLeast }: UserKey & { atLeast: number },
): Promise<Identity> {
  const rows = await sql.query<JsonValue>({
    text: `
      update identity set
        incarnation = case when incarnation < greatest(version, $3) then greatest(version + 1, $3) else incarnation end,
        version = case when incarnation < greatest(version, $3) then greatest(version + 1, $3) else version end,
        ${wordsVersionAt('case when incarnation < greatest(version, $3) then greatest(version + 1, $3) else version end')}
      where app_id = $1 and user_id = $2 and deleted
      returning ${COLUMNS}`,
    values: [appId, userId, atLeast],
  });
  const [identity] = toIdentities(rows);
  if (!identity) throw new Error('the identity to erase is not deleted');
  return identity;
}

/** Raises the version of a locked identity, and its incarnation, to at least these. */
export async function raiseIdentity(
  sql: Sql,
  { appId, userId, version, incarnation = 0 }: UserKey & { version: number; incarnation?: number },
): Promise<Identity> {
  const rows = await sql.query<JsonValue>({
    text: `
      update identity set version = greatest(version, $3), incarnation = greatest(incarnation, $4),
        ${wordsVersionAt('greatest(version, $3)')}
      where app_id = $1 and user_id = $2
      returning ${COLUMNS}`,
    values: [appId, userId, version, incarnation],
  });
  const [identity] = toIdentities(rows);
  if (!identity) throw new Error('the identity to raise does not exist');
  return identity;
}

export type IdentitySearch = { appId: string; prefix: string; afterUserId: string; pageSize: number };

/**
 * Users whose user id, or display name in any case, begins with the prefix; by user id. Each half of the union has
 * its own index.
 */
export async function searchUserIds(sql: Sql, search: IdentitySearch): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    text: `
      select user_id from (
        (select user_id from identity
          where app_id = $1 and not deleted and user_id > $2 and user_id like $3
          order by user_id limit $4)
        union
        (select user_id from identity
          where app_id = $1 and not deleted and user_id > $2 and lower(display_name) collate "C" like lower($3)
          order by user_id limit $4)) found
      order by user_id limit $4`,
    values: [search.appId, search.afterUserId, `${escapeLike(search.prefix)}%`, search.pageSize],
  });
  return rows.map((row) => row.user_id);
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function toIdentities(rows: JsonValue[]): Identity[] {
  return rows.map((row) => fromJson(IdentitySchema, row));
}

function valuesOf(identity: Identity): unknown[] {
  return [
    identity.appId,
    identity.userId,
    identity.type,
    identity.displayName,
    identity.avatarUrl,
    identity.firstName,
    identity.lastName,
    identity.phoneNumber,
    identity.emailAddress,
    identity.publicKey,
    JSON.stringify(identity.metadata),
    identity.suspended,
    identity.deleted,
    wordsOf(identity),
  ];
}
