import type { Tx } from '@parley/kit/postgres';
import type { MemberRef } from './membership.ts';

/** A user's rows of a conversation before any of them are merged, the rows that then stay as they are, and the rows that one step reads. */
export const MEMBERSHIP_ROWS = { most: 12, exact: 8, step: 44 };

/** Steps of one transaction: more than the rows of a batch of events need. */
const PASSES = 4;

export type PeriodRow = {
  app_id: string;
  user_id: string;
  conversation_id: string;
  joined_seq: number;
  left_seq: number;
  /** False: the row says only that the user left. */
  joined: boolean;
};

/**
 * Merges the oldest periods of users who have many in a conversation, so that users who are removed and added repeatedly have a bounded
 * number of rows. Locked rows are left for the next time. docs/decisions/relations.md#sharing-a-conversation
 */
export async function mergeMemberships(tx: Tx, appId: string, refs: readonly MemberRef[]): Promise<void> {
  for (let pass = 0; pass < PASSES; pass += 1) if (!(await mergeOldest(tx, appId, refs))) return;
}

/** False: nothing had to be merged. */
async function mergeOldest(tx: Tx, appId: string, refs: readonly MemberRef[]): Promise<boolean> {
  const rows = await lockOldPeriods(tx, appId, refs);
  const spans = mergePeriods(rows);
  if (spans.length === 0) return false;
  await deleteMerged(tx, appId, rows, spans);
  await tx.execute({
    name: 'widen_memberships',
    text: `
      update membership m set left_seq = span.left_seq, merged = true
      from unnest($2::text[], $3::uuid[], $4::int8[], $5::int8[]) as span (user_id, conversation_id, joined_seq, left_seq)
      where m.app_id = $1 and m.user_id = span.user_id and m.conversation_id = span.conversation_id
        and m.joined_seq = span.joined_seq`,
    values: [appId, ...keysOf(spans), spans.map(({ left_seq: seq }) => seq)],
  });
  return true;
}

/** Locks rows of ended periods beyond those that stay exact, the oldest ones, of users who have too many. */
function lockOldPeriods(tx: Tx, appId: string, refs: readonly MemberRef[]): Promise<PeriodRow[]> {
  const { most, exact, step } = MEMBERSHIP_ROWS;
  return tx.query<PeriodRow>({
    name: 'lock_old_memberships',
    text: `
      select m.app_id, m.user_id, m.conversation_id, m.joined_seq, m.left_seq, m.joined_at is not null as joined
      from (select distinct * from unnest($2::text[], $3::uuid[])) as ref (user_id, conversation_id)
      cross join lateral (
        select array_agg(joined_seq order by joined_seq) as seqs from (
          select joined_seq from membership
          where app_id = $1 and user_id = ref.user_id and conversation_id = ref.conversation_id
          order by joined_seq limit ${step}) as oldest
        having count(*) > ${most}) as many
      join membership m on m.app_id = $1 and m.user_id = ref.user_id and m.conversation_id = ref.conversation_id
        and m.joined_seq = any (many.seqs[:cardinality(many.seqs) - ${exact}])
      where m.left_seq is not null
      for update of m skip locked`,
    values: [appId, refs.map(({ userId }) => userId), refs.map(({ conversationId }) => conversationId)],
  });
}

/** Merges, for each user and conversation, all rows into the one that stays, from the first join to the last change of all rows. */
export function mergePeriods(rows: readonly PeriodRow[]): PeriodRow[] {
  const groups = Map.groupBy(rows, (row) => `${row.conversation_id} ${row.user_id}`);
  return [...groups.values()].flatMap((group) => {
    const joins = group.filter(({ joined }) => joined);
    const first = joins.toSorted((a, b) => a.joined_seq - b.joined_seq)[0];
    if (!first) return [];
    return [{ ...first, left_seq: Math.max(...group.map(({ left_seq: seq }) => seq)) }];
  });
}

async function deleteMerged(
  tx: Tx,
  appId: string,
  rows: readonly PeriodRow[],
  spans: readonly PeriodRow[],
): Promise<void> {
  const kept = new Set(spans.map(keyOf));
  const gone = rows.filter((row) => !kept.has(keyOf(row)));
  await tx.execute({
    name: 'delete_merged_memberships',
    text: `
      delete from membership m
      using unnest($2::text[], $3::uuid[], $4::int8[]) as gone (user_id, conversation_id, joined_seq)
      where m.app_id = $1 and m.user_id = gone.user_id and m.conversation_id = gone.conversation_id
        and m.joined_seq = gone.joined_seq`,
    values: [appId, ...keysOf(gone)],
  });
}

function keyOf(row: PeriodRow): string {
  return `${row.conversation_id} ${row.joined_seq} ${row.user_id}`;
}

function keysOf(rows: readonly PeriodRow[]): [string[], string[], number[]] {
  return [
    rows.map((row) => row.user_id),
    rows.map((row) => row.conversation_id),
    rows.map((row) => row.joined_seq),
  ];
}
