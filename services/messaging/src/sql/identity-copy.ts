import type { Sql } from '@parley/kit/postgres';
import { IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { compareKeys } from '../keys.ts';
import { column } from './statement.ts';

export type IdentityRef = { app_id: string; user_id: string };

export type IdentityRow = IdentityRef & {
  display_name: string | null;
  avatar_url: string | null;
  is_bot: boolean;
  deleted: boolean;
};

/** The copies that are there, deleted identities included. */
export function listIdentities(sql: Sql, refs: readonly IdentityRef[]): Promise<IdentityRow[]> {
  return sql.query<IdentityRow>({
    name: 'list_identities',
    text: `
      select i.app_id, i.user_id, i.display_name, i.avatar_url, i.is_bot, i.deleted
      from (select distinct * from unnest($1::uuid[], $2::text[])) as wanted (app_id, user_id)
      join identity_copy i on i.app_id = wanted.app_id and i.user_id = wanted.user_id`,
    values: [column(refs, 'app_id'), column(refs, 'user_id')],
  });
}

/**
 * Stores copies, in the order of their keys; one that is not newer than what is there changes nothing. No two may be of the
 * same user. Version 0 of a deleted identity is one that was erased: nothing is kept but that the user is gone, until a
 * later version brings them back.
 */
export async function upsertIdentities(sql: Sql, identities: readonly Identity[]): Promise<void> {
  if (identities.length === 0) return;
  const rows = identities.toSorted((a, b) => compareKeys(a.appId + a.userId, b.appId + b.userId));
  await sql.execute({
    name: 'upsert_identities',
    text: `
      insert into identity_copy as i (app_id, user_id, display_name, avatar_url, is_bot, version, deleted)
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::float8[], $7::boolean[])
      on conflict (app_id, user_id) do update
      set display_name = excluded.display_name, avatar_url = excluded.avatar_url, deleted = excluded.deleted,
        is_bot = case when excluded.version = 0 then i.is_bot else excluded.is_bot end,
        version = greatest(i.version, excluded.version)
      where excluded.version > i.version or (excluded.version = 0 and excluded.deleted)`,
    values: [
      column(rows, 'appId'),
      column(rows, 'userId'),
      rows.map((row) => row.displayName ?? null),
      rows.map((row) => row.avatarUrl ?? null),
      rows.map((row) => row.type === IdentityType.BOT),
      column(rows, 'version'),
      column(rows, 'deleted'),
    ],
  });
}
