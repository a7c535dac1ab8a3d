import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';

export type DeletedConversation = Leased & { conversation_id: string };

export const deletedConversationQueue = createWorkQueue<DeletedConversation>({
  table: 'deleted_conversation',
  key: ['app_id', 'conversation_id'],
  columns: [],
  order: ['conversation_id'],
});

/** Queues deleted conversations of an application, so that a timer releases their content. */
export async function insertDeletedConversations(
  sql: Sql,
  appId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await sql.execute({
    text: `
      insert into deleted_conversation (app_id, conversation_id)
      select distinct $1::uuid, id from unnest($2::uuid[]) as deleted (id) order by id on conflict do nothing`,
    values: [appId, conversationIds],
  });
}

/** Ids of the next messages of a deleted conversation that are not marked as deleted yet. */
export async function listUndeletedMessages(
  sql: Sql,
  { app_id, conversation_id }: DeletedConversation,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      select id from content_message
      where app_id = $1 and conversation_id = $2 and deleted_at is null
      order by app_id, conversation_id, id limit $3`,
    values: [app_id, conversation_id, limit],
  });
  return rows.map(({ id }) => id);
}
