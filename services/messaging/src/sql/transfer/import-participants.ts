import type { Sql } from '@parley/kit/postgres';

/** Present and former participants. */
export async function listParticipantIds(
  sql: Sql,
  { appId, conversationId }: { appId: string; conversationId: string },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_participant_ids',
    text: 'select user_id from participant where app_id = $1 and conversation_id = $2 order by user_id',
    values: [appId, conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}
