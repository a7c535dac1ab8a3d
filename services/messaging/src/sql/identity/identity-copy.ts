import type { Sql, Tx } from '@parley/kit/postgres';
import { IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { compareKeys } from '../keys.ts';
import { column } from '../statement.ts';

export type IdentityRef = { appId: string; userId: string };

export type IdentityRow = {
  app_id: string;
  user_id: string;
  display_name: string | null;
  avatar_url: string | null;
  is_bot: boolean;
  deleted: boolean;
  /** The version that the last erasure gave the identity; 0: the user was never erased. */
  incarnation: number;
  /** Participations of earlier incarnations are not the user's. */
  participations_from: number;
};

/** The stored copies, including deleted identities. */
export function listIdentities(sql: Sql, refs: readonly IdentityRef[]): Promise<IdentityRow[]> {
  return sql.query<IdentityRow>({
    name: 'list_identities',
    text: `
      select i.app_id, i.user_id, i.display_name, i.avatar_url, i.is_bot, i.deleted, i.incarnation, i.participations_from
      from (select distinct * from unnest($1::uuid[], $2::text[])) as wanted (app_id, user_id)
      join identity_copy i on i.app_id = wanted.app_id and i.user_id = wanted.user_id`,
    values: [column(refs, 'appId'), column(refs, 'userId')],
  });
}

/**
 * The stored copies, which no erasure changes until the transaction ends: an erasure that is answered later finds what it wrote. In the
 * order in which `upsertIdentities` locks them.
 */
export function holdIdentities(
  tx: Tx,
  { appId, userIds }: { appId: string; userIds: readonly string[] },
): Promise<Pick<IdentityRow, 'user_id' | 'deleted' | 'incarnation'>[]> {
  return tx.query({
    name: 'hold_identities',
    text: `
      select i.user_id, i.deleted, i.incarnation from identity_copy i
      where i.app_id = $1 and i.user_id = any($2::text[]) order by i.app_id, i.user_id for share of i`,
    values: [appId, userIds],
  });
}

/** Lists the users who were erased and came back, with the incarnation since which participations are theirs. */
export async function listReturned(
  sql: Sql,
  appId: string,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql.query<Pick<IdentityRow, 'user_id' | 'participations_from'>>({
    name: 'list_returned_users',
    text: `
      select user_id, participations_from from identity_copy
      where app_id = $1 and user_id = any($2::text[]) and participations_from > 0`,
    values: [appId, userIds],
  });
  return new Map(rows.map((row) => [row.user_id, row.participations_from]));
}

/**
 * Stores copies in the order of keys. A version that is not newer than the stored one changes nothing. No two copies
 * may be of the same user. From the commit on, data of earlier incarnations is refused; when the incarnation is new,
 * the erasure of stored data is requested.
 */
export async function upsertIdentities(sql: Sql, identities: readonly Identity[]): Promise<void> {
  if (identities.length === 0) return;
  const rows = identities.toSorted((a, b) => compareKeys(a.appId + a.userId, b.appId + b.userId));
  await sql.execute({
    name: 'upsert_identities',
    text: UPSERT_STATEMENT,
    values: [
      column(rows, 'appId'),
      column(rows, 'userId'),
      rows.map((row) => row.displayName ?? null),
      rows.map((row) => row.avatarUrl ?? null),
      rows.map((row) => row.type === IdentityType.BOT),
      column(rows, 'version'),
      column(rows, 'deleted'),
      column(rows, 'incarnation'),
    ],
  });
}

const COLUMNS = 'app_id, user_id, display_name, avatar_url, is_bot, version, deleted, incarnation';

function newer(name: string): string {
  return `${name} = case when excluded.version > i.version then excluded.${name} else i.${name} end`;
}

// Locks the stored rows before it compares incarnations: `stored` reads all of `known` before it writes. A service of
// the release before may have stored a version without its incarnation.
const UPSERT_STATEMENT = `
  with incoming as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::float8[], $7::boolean[],
      $8::float8[]) as row (${COLUMNS})
  ), known as (
    select i.app_id, i.user_id, i.incarnation
    from incoming join identity_copy i on i.app_id = incoming.app_id and i.user_id = incoming.user_id
    order by i.app_id, i.user_id for no key update of i
  ), advanced as (
    select incoming.*, incoming.incarnation > coalesce(known.incarnation, 0) as is_erased
    from incoming left join known on known.app_id = incoming.app_id and known.user_id = incoming.user_id
    order by incoming.app_id, incoming.user_id
  ), stored as (
    insert into identity_copy as i (${COLUMNS}, participations_from)
    select ${COLUMNS}, incarnation from advanced
    on conflict (app_id, user_id) do update
    set ${['display_name', 'avatar_url', 'is_bot', 'deleted'].map(newer).join(', ')},
      version = greatest(i.version, excluded.version), incarnation = greatest(i.incarnation, excluded.incarnation),
      participations_from = case when excluded.incarnation > i.incarnation then excluded.incarnation
        else i.participations_from end,
      restriction = case when excluded.incarnation > i.incarnation then null else i.restriction end
    where excluded.version > i.version or excluded.incarnation > i.incarnation
  )
  insert into erasure (app_id, user_id, version)
  select app_id, user_id, incarnation from advanced where is_erased
  on conflict (app_id, user_id) do update
  set version = excluded.version, done_until = default, done_position = default
  where excluded.version > erasure.version`;
