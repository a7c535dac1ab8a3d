import type { Sql } from '@parley/kit/postgres';

export type IdentityChangeRow = {
  user_id: string;
  version: number;
  created_at: number;
  created: boolean;
  fields: string[];
};

export type NewIdentityChange = {
  appId: string;
  userId: string;
  version: number;
  createdAt: number;
  created: boolean;
  fields: string[];
};

export async function insertIdentityChange(sql: Sql, change: NewIdentityChange): Promise<void> {
  const { appId, userId, version, createdAt, created, fields } = change;
  await sql.execute({
    name: 'insert_identity_change',
    text: `
      insert into identity_change (app_id, user_id, version, created_at, created, fields)
      values ($1, $2, $3, to_timestamp($4::float8 / 1000), $5, $6)`,
    values: [appId, userId, version, createdAt, created, fields],
  });
}

/**
 * Changes of the users since `from`, in the order of `userIds`, and of each user in order; of the first user only
 * those after `afterVersion`.
 */
export function listIdentityChanges(
  sql: Sql,
  query: {
    appId: string;
    userIds: readonly string[];
    from: number;
    afterVersion: number;
    limit: number;
  },
): Promise<IdentityChangeRow[]> {
  return sql.query<IdentityChangeRow>({
    name: 'list_identity_changes',
    text: `
      select user_id, version, created_at, created, fields from identity_change
      where app_id = $1 and user_id = any ($2::text[]) and created_at >= to_timestamp($3::float8 / 1000)
        and (version > $4 or user_id <> ($2::text[])[1])
      order by array_position($2::text[], user_id), version limit $5`,
    values: [query.appId, query.userIds, query.from, query.afterVersion, query.limit],
  });
}

/** Deletes at most `limit` changes before a time; returns how many. */
export function deleteIdentityChangesBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from identity_change where (app_id, user_id, version, ctid) in (
        select app_id, user_id, version, ctid from identity_change where created_at < to_timestamp($1::float8 / 1000) limit $2)`,
    values: [time, limit],
  });
}
