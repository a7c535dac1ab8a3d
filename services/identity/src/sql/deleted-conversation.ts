import type { Sql } from '@parley/kit/postgres';

/** Records conversations that were deleted for everybody, so that searches do not count their participants as sharing one. */
export async function insertDeletedConversations(
  sql: Sql,
  conversations: readonly { appId: string; conversationId: string }[],
): Promise<void> {
  await sql.execute({
    name: 'insert_deleted_conversations',
    text: `
      insert into deleted_conversation (app_id, conversation_id)
      select app_id, conversation_id from unnest($1::uuid[], $2::uuid[]) as deleted (app_id, conversation_id)
      order by app_id, conversation_id on conflict do nothing`,
    values: [
      conversations.map(({ appId }) => appId),
      conversations.map(({ conversationId }) => conversationId),
    ],
  });
}
