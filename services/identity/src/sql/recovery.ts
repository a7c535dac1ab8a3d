import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import type { BlockCopy, ConversationReach } from '@parley/proto/parley/recovery/v1/recovery_service_pb';

/** A number larger than the versions that are given between a backup and a disaster. */
const STRIDE = 2 ** 32;
const PAGE = 500;

/** Lets versions of blocks go on above all that were ever given, also those that this database has lost. */
export async function raiseBlockVersions(sql: Sql): Promise<void> {
  await sql.execute({ text: `select setval('block_version', last_value + ${STRIDE}) from block_version` });
}

/**
 * Takes over pairs that are newer than those here; returns how many. Left out are those of users who are gone, or whom messaging does
 * not know to be erased: a pair that an erasure deleted must not come back.
 */
export function adoptBlocks(sql: Sql, copies: readonly BlockCopy[]): Promise<number> {
  return sql.execute({
    text: `
      insert into block (app_id, owner_user_id, blocked_user_id, active, version)
      select copy.app_id, copy.owner_id, copy.blocked_id, copy.active, copy.version::int8
      from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $5::float8[], $6::float8[], $7::float8[])
        as copy (app_id, owner_id, blocked_id, active, version, owner_incarnation, blocked_incarnation)
      join identity owner on owner.app_id = copy.app_id and owner.user_id = copy.owner_id
        and not owner.deleted and owner.incarnation <= copy.owner_incarnation
      join identity blocked on blocked.app_id = copy.app_id and blocked.user_id = copy.blocked_id
        and not blocked.deleted and blocked.incarnation <= copy.blocked_incarnation
      left join block known on known.app_id = copy.app_id and known.owner_user_id = copy.owner_id
        and known.blocked_user_id = copy.blocked_id
      where copy.version > coalesce(known.version, 0) and (copy.active or known.version is not null)
      order by copy.app_id, copy.owner_id, copy.blocked_id
      on conflict (app_id, owner_user_id, blocked_user_id) do update
      set active = excluded.active, version = excluded.version where block.version < excluded.version`,
    values: [
      copies.map(({ appId }) => appId),
      copies.map(({ ownerUserId }) => ownerUserId),
      copies.map(({ blockedUserId }) => blockedUserId),
      copies.map(({ active }) => active),
      copies.map(({ version }) => version),
      copies.map(({ ownerIncarnation }) => ownerIncarnation),
      copies.map(({ blockedIncarnation }) => blockedIncarnation),
    ],
  });
}

export type ReachRow = { app_id: string; conversation_id: string; seq: number };

/** A page of conversations after one, with the highest change number of a membership. */
export function listReaches(
  sql: Sql,
  { afterAppId, afterConversationId }: { afterAppId: string; afterConversationId: string },
): Promise<ReachRow[]> {
  return sql.query<ReachRow>({
    text: `
      select app_id, conversation_id, max(greatest(joined_seq, left_seq)) as seq from membership
      where (app_id, conversation_id) > ($1::uuid, $2::uuid)
      group by app_id, conversation_id order by app_id, conversation_id limit ${PAGE}`,
    values: [afterAppId || NIL_UUID, afterConversationId || NIL_UUID],
  });
}

export type MemberRow = { app_id: string; user_id: string };

/** Forgets what is beyond a change number of each conversation; returns how many memberships, and whose lists may differ. */
export async function takeBack(
  sql: Sql,
  conversations: readonly ConversationReach[],
): Promise<{ count: number; members: MemberRow[] }> {
  const reaches = `unnest($1::uuid[], $2::uuid[], $3::float8[]) as reach (app_id, conversation_id, seq)`;
  const values = [
    conversations.map(({ appId }) => appId),
    conversations.map(({ conversationId }) => conversationId),
    conversations.map(({ seq }) => seq),
  ];
  const on = 'm.app_id = reach.app_id and m.conversation_id = reach.conversation_id';
  const members = await sql.query<MemberRow>({
    text: `
      select m.app_id, m.user_id from ${reaches} join membership m on ${on}
      order by m.app_id, m.conversation_id, m.joined_seq, m.user_id for update of m`,
    values,
  });
  const deleted = await sql.execute({
    text: `delete from membership m using ${reaches} where ${on} and m.joined_seq > reach.seq`,
    values,
  });
  const reopened = await sql.execute({
    text: `update membership m set left_seq = null, merged = false from ${reaches} where ${on} and m.left_seq > reach.seq`,
    values,
  });
  return { count: deleted + reopened, members };
}
