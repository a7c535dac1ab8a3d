import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';

/** Present and former participants. */
export async function listParticipantIds(
  sql: Sql,
  { appId, conversationId }: { appId: string; conversationId: string },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_participant_ids',
    text: `
      select p.user_id from participant p
      where p.app_id = $1 and p.conversation_id = $2 and ${isHeld()} order by p.user_id`,
    values: [appId, conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}
