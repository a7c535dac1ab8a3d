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
 * Forgets what earlier incarnations of participants have read and received. Receipts of the present incarnation stay,
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
    name: 'reset_receipts',
    text: `
      update participant p
      set read_until = 0, delivered_until = 0, covered_count = 0, hidden_count = 0, incarnation = wanted.incarnation
      from ${wanted} where ${isOutdated}`,
    values,
  });
}
