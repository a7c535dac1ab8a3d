import type { Sql } from '@parley/kit/postgres';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';

export type UserList = {
  appId: string;
  /** UNSPECIFIED: of all types. */
  type: IdentityType;
  suspended: boolean | undefined;
  afterUserId: string;
  limit: number;
};

/** User ids in their order. The conditions are texts, since the indexes of suspended users and of bots have them. */
export async function listUserIds(
  sql: Sql,
  { appId, type, suspended, ...page }: UserList,
): Promise<string[]> {
  const ofType = type === IdentityType.UNSPECIFIED ? 'true' : `type = ${type}`;
  const ofState = suspended === undefined ? 'true' : suspended ? 'suspended' : 'not suspended';
  const rows = await sql.query<{ user_id: string }>({
    name: `list_user_ids_${type}_${suspended}`,
    text: `
      select user_id from identity
      where app_id = $1 and not deleted and user_id > $2 and ${ofType} and ${ofState}
      order by user_id limit $3`,
    values: [appId, page.afterUserId, page.limit],
  });
  return rows.map(({ user_id }) => user_id);
}
