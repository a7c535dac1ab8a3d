import type { Sql, Tx } from '@parley/kit/postgres';
import type { BlockRow } from './block.ts';
import type { UserKey } from './identity.ts';

/** The kinds of a user's relations: the table, and its column that names the user. */
const RELATIONS = {
  memberships: { table: 'membership', user: 'user_id', key: 'conversation_id, joined_seq, user_id' },
  follows: { table: 'follow', user: 'owner_user_id', key: 'owner_user_id, target_user_id' },
  followers: { table: 'follow', user: 'target_user_id', key: 'owner_user_id, target_user_id' },
  blocks: { table: 'block', user: 'owner_user_id', key: 'owner_user_id, blocked_user_id' },
  departures: { table: 'departure', user: 'user_id', key: 'user_id, gone_user_id, version' },
  blockers: { table: 'block', user: 'blocked_user_id', key: 'owner_user_id, blocked_user_id' },
} as const;

export type RelationKind = keyof typeof RELATIONS;

const RELATION_KINDS = Object.keys(RELATIONS) as RelationKind[];

/** The kinds of relations of which a user has more than `kept`. */
export async function listExcessRelations(
  sql: Sql,
  { appId, userId }: UserKey,
  kept: number,
): Promise<RelationKind[]> {
  const counts = RELATION_KINDS.map((part) => {
    const { table, user } = RELATIONS[part];
    return `select '${part}' as part
      where exists (select from ${table} where app_id = $1 and ${user} = $2 offset $3::int8)`;
  });
  const rows = await sql.query<{ part: RelationKind }>({
    name: 'list_surplus_parts',
    text: counts.join(' union all '),
    values: [appId, userId, kept],
  });
  return rows.map((row) => row.part);
}

export type ExcessRelations = { part: RelationKind; kept: number; limit: number };

function selectExcess(part: RelationKind): string {
  const { table, user, key } = RELATIONS[part];
  return `
    select ctid from ${table} where app_id = $1 and ${user} = $2 and ctid = any (array(
      select ctid from ${table} where app_id = $1 and ${user} = $2 offset $3::int8 limit $4::int8))
    order by ${key} for update`;
}

/**
 * Deletes at most `limit` relations of a user and leaves at least `kept`. Answers the deleted blocks that were
 * active.
 */
export async function deleteExcessRelations(
  tx: Tx,
  { appId, userId }: UserKey,
  { part, kept, limit }: ExcessRelations,
): Promise<EndedBlock[]> {
  const { table, user } = RELATIONS[part];
  const values = [appId, userId, kept, limit];
  const text = `delete from ${table} where app_id = $1 and ${user} = $2 and ctid = any (array(${selectExcess(part)}))`;
  if (table === 'block') {
    const returning = `returning owner_user_id, blocked_user_id, active, version`;
    const rows = await tx.query<EndedBlock & { active: boolean }>({ text: `${text} ${returning}`, values });
    return rows.filter(({ active }) => active);
  }
  await tx.execute({ text, values });
  return [];
}

export type EndedBlock = BlockRow & { owner_user_id: string };
