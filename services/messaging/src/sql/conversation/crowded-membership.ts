import type { Sql } from '@parley/kit/postgres';
import { column, type Statement } from '../statement.ts';
import type { ConversationRow } from './conversation.ts';
import { isHeld } from './participant.ts';

/** Memberships of one user in one conversation with messages or changes in between. Every receipt of the user reads all of them. */
export const MAX_MEMBERSHIPS = 1_000;

type Ref = Pick<ConversationRow, 'app_id' | 'id' | 'seq'>;

/** Users among these who have so many memberships that there is no room for another. */
export async function listCrowded(
  sql: Sql,
  { app_id, id }: Omit<Ref, 'seq'>,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_crowded_memberships',
    text: `
      select p.user_id from participant p
      where p.app_id = $1::uuid and p.conversation_id = $2::uuid and p.user_id = any($3::text[]) and ${isHeld()}
        and greatest((select count(*) from unnest(p.member)), (select count(*) from unnest(p.owed))) >= $4::int8`,
    values: [app_id, id, userIds, MAX_MEMBERSHIPS],
  });
  return column(rows, 'user_id');
}

/** Takes the changes that the log has dropped from those that the users may replay. */
export function forgetPassedChanges({ app_id, id, seq }: Ref, userIds: readonly string[]): Statement {
  return {
    name: 'forget_passed_changes',
    text: `
      update participant p set owed = p.owed * int8multirange(int8range(kept.first, null))
      from (
        select coalesce(min(seq), $4::int8 + 1) as first from change where app_id = $1::uuid and conversation_id = $2::uuid
      ) kept
      where p.app_id = $1::uuid and p.conversation_id = $2::uuid and p.user_id = any($3::text[])`,
    values: [app_id, id, userIds, seq],
  };
}
