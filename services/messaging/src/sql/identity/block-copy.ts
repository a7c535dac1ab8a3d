import { lockApps } from '@parley/kit/postgres/app-locks';
import type { Sql, Tx } from '@parley/kit/postgres';
import { compareKeys } from '../keys.ts';
import { column } from '../statement.ts';

/** The given users who block `blocked_user_id`. */
export async function listBlockers(
  sql: Sql,
  { appId, blockedUserId, userIds }: { appId: string; blockedUserId: string; userIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql.query<{ owner_user_id: string }>({
    name: 'list_blockers',
    text: `
      select owner_user_id from block_copy
      where app_id = $1 and blocked_user_id = $2 and owner_user_id = any($3::text[]) and owner_user_id <> $2`,
    values: [appId, blockedUserId, userIds],
  });
  return rows.map((row) => row.owner_user_id);
}

export type BlockCopy = {
  app_id: string;
  blocked_user_id: string;
  owner_user_id: string;
  active: boolean;
  version: number;
};

/**
 * Writes in the order of keys, while `lockBlockCopies` holds the applications. A version that is not newer than the
 * stored one changes nothing. A block from before the erasure of either user is not stored.
 */
export async function upsertBlockCopies(tx: Tx, copies: readonly BlockCopy[]): Promise<void> {
  const newest = new Map<string, BlockCopy>();
  for (const copy of copies) {
    const key = keyOf(copy);
    if (copy.version > (newest.get(key)?.version ?? 0)) newest.set(key, copy);
  }
  if (newest.size === 0) return;
  const rows = [...newest].sort(([one], [other]) => compareKeys(one, other)).map(([, copy]) => copy);
  const newer = new Set((await upsertVersions(tx, rows)).map(keyOf));
  const isNewer = (copy: BlockCopy): boolean => newer.has(keyOf(copy));
  await insertPairs(tx, rows.filter((copy) => isNewer(copy) && copy.active)); // prettier-ignore
  await deletePairs(tx, rows.filter((copy) => isNewer(copy) && !copy.active)); // prettier-ignore
}

type Pair = Pick<BlockCopy, 'app_id' | 'blocked_user_id' | 'owner_user_id'>;

function keyOf({ app_id, blocked_user_id, owner_user_id }: Pair): string {
  return JSON.stringify([app_id, blocked_user_id, owner_user_id]);
}

function columnsOf(pairs: readonly Pair[]): unknown[] {
  return [column(pairs, 'app_id'), column(pairs, 'blocked_user_id'), column(pairs, 'owner_user_id')];
}

/** Locks the pairs, and returns those whose version is newer than the stored one. */
function upsertVersions(tx: Tx, rows: readonly BlockCopy[]): Promise<Pair[]> {
  return tx.query<Pair>({
    name: 'upsert_block_versions',
    text: `
      insert into block_version as known (app_id, blocked_user_id, owner_user_id, version)
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[])
      on conflict (app_id, blocked_user_id, owner_user_id) do update
      set version = excluded.version where excluded.version > known.version
      returning app_id, blocked_user_id, owner_user_id`,
    values: [...columnsOf(rows), column(rows, 'version')],
  });
}

// The versions are written first: from then on an erasure waits for the end of this transaction, or this transaction
// sees it.
async function insertPairs(tx: Tx, copies: readonly BlockCopy[]): Promise<void> {
  if (copies.length === 0) return;
  await tx.execute({
    name: 'insert_block_copies',
    text: `
      insert into block_copy (app_id, blocked_user_id, owner_user_id)
      select added.app_id, blocked_user_id, owner_user_id
      from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[])
        as added (app_id, blocked_user_id, owner_user_id, version)
      where not exists (
        select from block_erasure e
        where e.app_id = added.app_id and e.user_id in (added.blocked_user_id, added.owner_user_id)
          and e.blocks_until >= added.version)
      on conflict do nothing`,
    values: [...columnsOf(copies), column(copies, 'version')],
  });
}

async function deletePairs(tx: Sql, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.execute({
    name: 'delete_block_copies',
    text: `
      delete from block_copy b
      using unnest($1::uuid[], $2::text[], $3::text[]) as gone (app_id, blocked_user_id, owner_user_id)
      where b.app_id = gone.app_id and b.blocked_user_id = gone.blocked_user_id
        and b.owner_user_id = gone.owner_user_id`,
    values: columnsOf(pairs),
  });
}

/**
 * Must be called once in a transaction that writes blocks, before the first write. An erasure deletes blocks in no
 * order of keys, so no other transaction may change blocks of that application meanwhile.
 */
export function lockBlockCopies(
  tx: Tx,
  { changed = [], erased = [] }: { changed?: readonly string[]; erased?: readonly string[] },
): Promise<void> {
  return lockApps(tx, 'blocks', { shared: changed, alone: erased });
}

export type BlockErasure = {
  appId: string;
  userId: string;
  /** The highest version of a block that is over; 0: unknown, so that all stored blocks are over. */
  blocksUntil: number;
};

/** Blocks on each side that one step ends. */
const MAX_ENDED = 500;

/**
 * Deletes the first batch of the blocks on either side of a user; the application's blocks must be locked. A timer ends the rest, unless
 * `blocks_until` is unknown. From then on a late event about a block that is over has no effect.
 */
export async function eraseBlockCopies(sql: Sql, erasure: BlockErasure): Promise<void> {
  const { appId, userId, blocksUntil } = erasure;
  await sql.execute({
    text: `
      insert into block_erasure as known (app_id, user_id, blocks_until) values ($1, $2, $3)
      on conflict (app_id, user_id) do update
      set blocks_until = greatest(known.blocks_until, excluded.blocks_until)`,
    values: [appId, userId, blocksUntil],
  });
  const limit = blocksUntil === 0 ? null : MAX_ENDED;
  for (const side of SIDES) await endBlocks(sql, { ...erasure, side, limit });
}

/** Ends further blocks of a user whose erasure began. True: none is left. */
export async function endBlocksOfErased(
  tx: Tx,
  { appId, userId }: Pick<BlockErasure, 'appId' | 'userId'>,
  limit: number,
): Promise<boolean> {
  const [erasure] = await tx.query<{ blocks_until: number }>({
    text: 'select blocks_until from block_erasure where app_id = $1 and user_id = $2',
    values: [appId, userId],
  });
  if (!erasure || erasure.blocks_until === 0) return true;
  await lockBlockCopies(tx, { changed: [appId] });
  for (const side of SIDES) {
    // One side per step: locking both sides would break the order of keys.
    if ((await endBlocks(tx, { appId, userId, blocksUntil: erasure.blocks_until, side, limit })) > 0)
      return false;
  }
  return true;
}

const SIDES = ['blocked_user_id', 'owner_user_id'] as const;

type Ending = BlockErasure & { side: (typeof SIDES)[number]; limit: number | null };

/**
 * Ends at most `limit` blocks with the user on one side, in the order of keys, and returns their number. Versions stay,
 * and are locked first, as when a block begins.
 */
async function endBlocks(sql: Sql, ending: Ending): Promise<number> {
  const { appId, userId, blocksUntil, side, limit } = ending;
  const pairs = await sql.query<Pair>({
    text: `
      select v.app_id, v.blocked_user_id, v.owner_user_id
      from block_copy b
      join block_version v on v.app_id = b.app_id and v.blocked_user_id = b.blocked_user_id
        and v.owner_user_id = b.owner_user_id
      where b.app_id = $1 and b.${side} = $2 and ($3::float8 = 0 or v.version <= $3::float8)
      order by b.app_id, b.blocked_user_id, b.owner_user_id limit $4::int8 for no key update of v`,
    values: [appId, userId, blocksUntil, limit],
  });
  if (pairs.length === 0) return 0;
  await deletePairs(sql, pairs);
  return pairs.length;
}
