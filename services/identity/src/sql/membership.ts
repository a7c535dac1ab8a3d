import { lockApps } from '@parley/kit/postgres/app-locks';
import type { Sql, Tx } from '@parley/kit/postgres';

/** A change of a conversation's participants: its number and time in the conversation, and the users. */
export type MembershipChange = {
  appId: string;
  conversationId: string;
  seq: number;
  at: number;
  userIds: readonly string[];
};

/**
 * Must be called once in a transaction that copies memberships, or deletes those of an erased user, before it reads or writes any: no
 * membership of the person is written while the erasure deletes them, and those that come later are recognised by their incarnation.
 */
export function lockMembershipsOf(
  tx: Tx,
  { changed = [], erased = [] }: { changed?: readonly string[]; erased?: readonly string[] },
): Promise<void> {
  return lockApps(tx, 'memberships', { shared: changed, alone: erased });
}

/** A user who joined, and the incarnation in which they did. */
export type Joined = { userId: string; incarnation: number };

/**
 * Inserts memberships, but none of a person who has been erased since. A leave that arrived earlier ends them, or the end of merged
 * periods, whose leaves are gone; a repeated join changes nothing.
 */
export async function insertJoins(
  sql: Sql,
  change: Omit<MembershipChange, 'userIds'> & { joined: readonly Joined[] },
): Promise<void> {
  await sql.execute({
    name: 'insert_joinings',
    text: `
      insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at, left_seq)
      select $1::uuid, joining.user_id, $2::uuid, $3::int8, to_timestamp($4::float8 / 1000), (
        select min(known.left_seq) from membership known
        where known.app_id = $1 and known.user_id = joining.user_id and known.conversation_id = $2
          and (known.joined_at is null or known.merged) and known.left_seq > $3)
      from unnest($5::text[], $6::float8[]) as joining (user_id, incarnation)
      where joining.incarnation >= coalesce((
        select i.incarnation from identity i where i.app_id = $1 and i.user_id = joining.user_id), 0)
      on conflict do nothing`,
    values: [
      change.appId,
      change.conversationId,
      change.seq,
      change.at,
      change.joined.map(({ userId }) => userId),
      change.joined.map(({ incarnation }) => incarnation),
    ],
  });
}

export type MemberRef = { appId: string; conversationId: string; userId: string };

/** Locks users' memberships in the order of their keys, before leaves are written. */
export async function lockMemberships(sql: Sql, refs: readonly MemberRef[]): Promise<void> {
  if (refs.length === 0) return;
  await sql.execute({
    name: 'lock_memberships',
    text: `
      select from (select distinct * from unnest($1::uuid[], $2::text[], $3::uuid[])) as ref (app_id, user_id, conversation_id)
      join membership m on m.app_id = ref.app_id and m.user_id = ref.user_id
        and m.conversation_id = ref.conversation_id
      order by m.app_id, m.conversation_id, m.joined_seq, m.user_id for no key update of m`,
    values: [
      refs.map(({ appId }) => appId),
      refs.map(({ userId }) => userId),
      refs.map(({ conversationId }) => conversationId),
    ],
  });
}

/** Ends memberships, and records the leave so that it also ends a join that arrives later. Merged periods keep their end. */
export async function insertLeaves(sql: Sql, change: MembershipChange): Promise<void> {
  await sql.execute({
    name: 'insert_leavings',
    text: `
      with ended as (
        update membership m set left_seq = $3
        from unnest($4::text[]) as leaving (user_id)
        where m.app_id = $1 and m.user_id = leaving.user_id and m.conversation_id = $2
          and m.joined_at is not null and not m.merged
          and m.joined_seq < $3 and (m.left_seq is null or m.left_seq > $3)
          and m.joined_seq = (
            select max(latest.joined_seq) from membership latest
            where latest.app_id = $1 and latest.user_id = leaving.user_id and latest.conversation_id = $2
              and latest.joined_at is not null and latest.joined_seq < $3)
      )
      insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at, left_seq)
      select $1::uuid, leaving.user_id, $2::uuid, $3::int8, null, $3::int8
      from unnest($4::text[]) as leaving (user_id)
      on conflict do nothing`,
    values: [change.appId, change.conversationId, change.seq, change.userIds],
  });
}

export type ChangeRef = { conversationId: string; seq: number };

/**
 * Users who took part in a conversation at one of its changes or joined it later. Rows of earlier participants are
 * not read.
 */
export async function listMembersSince(
  sql: Sql,
  appId: string,
  changes: readonly ChangeRef[],
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_members_since',
    text: `
      select distinct m.user_id
      from unnest($2::uuid[], $3::int8[]) as change (conversation_id, seq)
      join membership m on m.app_id = $1 and m.conversation_id = change.conversation_id
        and coalesce(m.left_seq, 9223372036854775807) > change.seq`,
    values: [appId, changes.map(({ conversationId }) => conversationId), changes.map(({ seq }) => seq)],
  });
  return rows.map((row) => row.user_id);
}

/** Users who joined a conversation after one of its changes. */
export async function listJoinedAfter(
  sql: Sql,
  appId: string,
  changes: readonly ChangeRef[],
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_joined_after',
    text: `
      select distinct m.user_id
      from unnest($2::uuid[], $3::int8[]) as change (conversation_id, seq)
      join membership m on m.app_id = $1 and m.conversation_id = change.conversation_id
        and m.joined_seq > change.seq and m.joined_at is not null`,
    values: [appId, changes.map(({ conversationId }) => conversationId), changes.map(({ seq }) => seq)],
  });
  return rows.map((row) => row.user_id);
}

export async function deleteMemberships(sql: Sql, appId: string, userId: string): Promise<void> {
  await sql.execute({
    text: `
      delete from membership where app_id = $1 and user_id = $2 and ctid = any (array(
        select ctid from membership where app_id = $1 and user_id = $2
        order by conversation_id, joined_seq for update))`,
    values: [appId, userId],
  });
}
