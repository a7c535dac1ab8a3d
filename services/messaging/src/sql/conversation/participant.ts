import { rowParameters } from '../row-parameters.ts';
import { WRITE_CONDITION, type Statement } from '../statement.ts';

export type ParticipantRef = { appId: string; conversationId: string; userId: string };

export type ParticipantRow = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  /** An int8multirange as text, see read-state/ranges.ts. */
  member: string;
  joined_seq: number;
  left_seq: number | null;
  /** The conversation's head when they left. */
  left_head: number | null;
  read_until: number;
  delivered_until: number;
  hidden_until: number;
  covered_count: number;
  hidden_count: number;
  unlisted_at: number | null;
  /** Positions that they do not see, as `member`; null: none. Absent where it makes no difference, as for a send. */
  unseen?: string | null;
};

/**
 * Whether participation `p` is of the person who has the user id now, and not of an erased one, whose participations the erasure
 * takes away in the background. Every statement that reads `participant` asks this; `held.test.ts` says which need not.
 * docs/decisions/erasure.md#participations
 */
export function isHeld(alias = 'p'): string {
  return isHeldBy(alias, `${alias}.app_id`, `${alias}.user_id`);
}

/** SQL of whether a participation is held, for statements that join the user's identity copy as `i`. */
export function isHeldWith(alias = 'p', identity = 'i'): string {
  return `coalesce(${alias}.incarnation, 0) >= coalesce(${identity}.participations_from, 0)`;
}

/** SQL of whether a participation of one user is held: the identity is read once for all of them. */
export function isHeldBy(alias: string, appId: string, userId: string): string {
  return `coalesce(${alias}.incarnation, 0) >= coalesce((
    select holder.participations_from from identity_copy holder
    where holder.app_id = ${appId} and holder.user_id = ${userId}), 0)`;
}

export function participantRef(
  row: Pick<ParticipantRow, 'app_id' | 'conversation_id' | 'user_id'>,
): ParticipantRef {
  return { appId: row.app_id, conversationId: row.conversation_id, userId: row.user_id };
}

/** The columns of ParticipantRow, from the table alias `p`. */
export const PARTICIPANT_COLUMNS = `p.app_id, p.conversation_id, p.user_id, p.member::text as member, p.joined_seq,
  p.left_seq, p.left_head, p.read_until, p.delivered_until, p.hidden_until, p.covered_count, p.hidden_count, p.unlisted_at,
  p.unseen::text as unseen`;

const PROGRESS = rowParameters<ParticipantRow>('row', {
  app_id: 'uuid',
  conversation_id: 'uuid',
  user_id: 'text',
  read_until: 'int8',
  delivered_until: 'int8',
  covered_count: 'int8',
  hidden_count: 'int8',
  unlisted_at: 'int8',
});

/** Writes participants' progress, but neither their membership nor `hidden_until`. */
export function updateParticipants(rows: readonly ParticipantRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  const row = PROGRESS.of(rows);
  return {
    name: `update_participants${row.suffix}`,
    text: `
      update participant p
      set read_until = row.read_until, delivered_until = row.delivered_until, covered_count = row.covered_count,
        hidden_count = row.hidden_count, unlisted_at = row.unlisted_at
      from ${row.sql}
      where p.app_id = row.app_id and p.conversation_id = row.conversation_id and p.user_id = row.user_id
        and ${WRITE_CONDITION}`,
    values: row.values,
  };
}
