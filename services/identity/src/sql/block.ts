import type { Sql } from '@parley/kit/postgres';

export type BlockRow = { blocked_user_id: string; version: number };

// A process of the previous release counts versions by pair instead of by the sequence.
const NEXT_VERSION = `greatest(nextval('block_version'), block.version + 1)`;

/** Blocks users; answers the pairs that this changed. */
export function addBlocks(
  sql: Sql,
  owner: { appId: string; ownerId: string },
  userIds: readonly string[],
): Promise<BlockRow[]> {
  return sql.query<BlockRow>({
    text: `
      insert into block (app_id, owner_user_id, blocked_user_id, active)
      select $1::uuid, $2::text, user_id, true from unnest($3::text[]) as added (user_id) order by user_id
      on conflict (app_id, owner_user_id, blocked_user_id) do update
      set active = true, version = ${NEXT_VERSION} where not block.active
      returning blocked_user_id, version`,
    values: [owner.appId, owner.ownerId, userIds],
  });
}

/** Unblocks users; answers the pairs that this changed. */
export function removeBlocks(
  sql: Sql,
  owner: { appId: string; ownerId: string },
  userIds: readonly string[],
): Promise<BlockRow[]> {
  return sql.query<BlockRow>({
    text: `
      update block set active = false, version = ${NEXT_VERSION}
      where app_id = $1 and owner_user_id = $2 and blocked_user_id = any ($3::text[]) and ctid = any (array(
        select ctid from block
        where app_id = $1 and owner_user_id = $2 and blocked_user_id = any ($3::text[]) and active
        order by blocked_user_id for no key update))
      returning blocked_user_id, version`,
    values: [owner.appId, owner.ownerId, userIds],
  });
}

/** Blocked users after a user id, in the order of the database. */
export async function listBlockedUserIds(
  sql: Sql,
  { appId, ownerId, after = '' }: { appId: string; ownerId: string; after?: string },
): Promise<string[]> {
  const rows = await sql.query<{ blocked_user_id: string }>({
    text: `
      select blocked_user_id from block where app_id = $1 and owner_user_id = $2 and active and blocked_user_id > $3
      order by blocked_user_id`,
    values: [appId, ownerId, after],
  });
  return rows.map((row) => row.blocked_user_id);
}

/** Lists those of the given users who block a user, or whom the user blocks. */
export async function listBlockedEitherWay(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
  others: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_blocked_either_way',
    text: `
      select blocked_user_id as user_id from block
      where app_id = $1 and owner_user_id = $2 and blocked_user_id = any ($3::text[]) and active
      union
      select owner_user_id from block
      where app_id = $1 and blocked_user_id = $2 and owner_user_id = any ($3::text[]) and active`,
    values: [appId, userId, others],
  });
  return rows.map((row) => row.user_id);
}

/** Lists, for each of the users, at most `limit` users who block them, or whom they block. */
export async function listBlockedOfEach(
  sql: Sql,
  users: readonly { appId: string; userId: string }[],
  limit: number,
): Promise<{ app_id: string; user_id: string; other_ids: string[] }[]> {
  return sql.query({
    name: 'list_blocked_of_each',
    text: `
      select ref.app_id, ref.user_id, array(
        (select blocked_user_id from block b
          where b.app_id = ref.app_id and b.owner_user_id = ref.user_id and b.active limit $3)
        union
        (select owner_user_id from block b
          where b.app_id = ref.app_id and b.blocked_user_id = ref.user_id and b.active limit $3)) as other_ids
      from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId), limit],
  });
}

export type BlockStateRow = BlockRow & { active: boolean };

/** The owner's pairs with these users, active or not. */
export function findBlockStates(
  sql: Sql,
  owner: { appId: string; ownerId: string },
  userIds: readonly string[],
): Promise<BlockStateRow[]> {
  return sql.query<BlockStateRow>({
    text: `
      select blocked_user_id, active, version from block
      where app_id = $1 and owner_user_id = $2 and blocked_user_id = any ($3::text[])`,
    values: [owner.appId, owner.ownerId, userIds],
  });
}

/** The owner's pairs, active or not, after a user id. */
export function listBlockStates(
  sql: Sql,
  { appId, ownerId, fromId, pageSize }: { appId: string; ownerId: string; fromId: string; pageSize: number },
): Promise<BlockStateRow[]> {
  return sql.query<BlockStateRow>({
    text: `
      select blocked_user_id, active, version from block
      where app_id = $1 and owner_user_id = $2 and blocked_user_id > $3
      order by blocked_user_id limit $4`,
    values: [appId, ownerId, fromId, pageSize],
  });
}

/** A version above those of all blocks that are committed, or whose transactions hold the locks of their users. */
export async function nextBlockVersion(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ version: number }>({ text: `select nextval('block_version') as version` });
  if (!row) throw new Error('the sequence block_version returned no row');
  return row.version;
}

export async function countBlocks(sql: Sql, appId: string, ownerId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    text: `select count(*)::int as count from block where app_id = $1 and owner_user_id = $2 and active`,
    values: [appId, ownerId],
  });
  return row?.count ?? 0;
}

/** Locks a user's list of blocks until the end of the transaction. */
export async function lockBlocks(sql: Sql, appId: string, ownerId: string): Promise<void> {
  await sql.execute({
    text: `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
    values: [`block/${appId}/${ownerId}`],
  });
}

/** Deletes the blocks by a user and of the user. */
export async function deleteBlocks(sql: Sql, appId: string, userId: string): Promise<void> {
  await sql.execute({
    text: `
      delete from block
      where app_id = $1 and (owner_user_id = $2 or blocked_user_id = $2) and ctid = any (array(
        select ctid from block where app_id = $1 and (owner_user_id = $2 or blocked_user_id = $2)
        order by owner_user_id, blocked_user_id for update))`,
    values: [appId, userId],
  });
}
