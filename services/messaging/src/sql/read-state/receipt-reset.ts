import type { Sql } from '@parley/kit/postgres';
import { participantRef, type ParticipantRef } from '../conversation/participant.ts';
import { column } from '../statement.ts';

/** A participant, and the incarnation that their receipts belong to from now on; null: 0. */
type ReceiptHolder = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  incarnation: number | null;
};

export type ReceiptReset = ParticipantRef & { incarnation: number | null };

/** The reset of receipts to the incarnation in the user's identity copy. */
export function toReset(row: ReceiptHolder): ReceiptReset {
  return { ...participantRef(row), incarnation: row.incarnation };
}

/**
 * Forgets what earlier incarnations of participants have read and received, and what their blocks withheld. Receipts of the present incarnation stay,
 * and so do positions hidden by `hidden_until`. The conversations must be locked.
 */
export async function resetReceipts(sql: Sql, resets: readonly ReceiptReset[]): Promise<void> {
  const values = [
    column(resets, 'appId'),
    column(resets, 'conversationId'),
    column(resets, 'userId'),
    resets.map(({ incarnation }) => incarnation ?? 0),
  ];
  const wanted = `
    (select distinct * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[])
      as row (app_id, conversation_id, user_id, incarnation)) as wanted`;
  const isOutdated = `p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id and p.user_id = wanted.user_id
    and coalesce(p.incarnation, 0) < wanted.incarnation`;
  await sql.execute({
    name: 'delete_outdated_receipts',
    text: `
      delete from participant_block b using ${wanted} join participant p on ${isOutdated}
      where b.app_id = p.app_id and b.conversation_id = p.conversation_id and b.user_id = p.user_id`,
    values,
  });
  await sql.execute({
    name: 'delete_outdated_places',
    text: `
      delete from list_place place using ${wanted} join participant p on ${isOutdated}
      where place.app_id = p.app_id and place.conversation_id = p.conversation_id and place.user_id = p.user_id`,
    values,
  });
  await sql.execute({
    name: 'forget_outdated_keepers',
    text: `
      update message_version v
      set kept_for = array(
        select keeper from unnest(v.kept_for) as keeper
        where keeper <> all (outdated.user_ids))
      from (
        select p.app_id, p.conversation_id, array_agg(p.user_id) as user_ids
        from ${wanted} join participant p on ${isOutdated} group by p.app_id, p.conversation_id) as outdated
      where v.app_id = outdated.app_id and v.conversation_id = outdated.conversation_id
        and v.kept_for && outdated.user_ids`,
    values,
  });
  await sql.execute({
    name: 'reset_receipts',
    text: `
      update participant p
      set read_until = 0, delivered_until = 0, covered_count = 0, hidden_count = 0, incarnation = wanted.incarnation
      from ${wanted} where ${isOutdated}`,
    values,
  });
}
