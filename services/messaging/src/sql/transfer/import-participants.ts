import type { Sql } from '@parley/kit/postgres';

/** Present and former participants. */
export async function listParticipantIds(
  sql: Sql,
  { app_id, conversation_id }: { app_id: string; conversation_id: string },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_participant_ids',
    text: 'select user_id from participant where app_id = $1 and conversation_id = $2 order by user_id',
    values: [app_id, conversation_id],
  });
  return rows.map(({ user_id }) => user_id);
}
