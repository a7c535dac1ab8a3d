import type { Sql } from '@parley/kit/postgres';
import { isHeld, type ParticipantRef } from '../conversation/participant.ts';
import { column } from '../statement.ts';

/** Stores those of the senders who have an identity and never took part, in the order of keys. */
export async function insertOutsideSenders(sql: Sql, refs: readonly ParticipantRef[]): Promise<void> {
  if (refs.length === 0) return;
  await sql.execute({
    name: 'insert_outside_senders',
    text: `
      insert into outside_sender (app_id, user_id, conversation_id)
      select distinct sender.app_id, sender.user_id, sender.conversation_id
      from unnest($1::uuid[], $2::text[], $3::uuid[]) as sender (app_id, user_id, conversation_id)
      join identity_copy i on i.app_id = sender.app_id and i.user_id = sender.user_id
      where not exists (
        select from participant p
        where p.app_id = sender.app_id and p.conversation_id = sender.conversation_id and p.user_id = sender.user_id
          and ${isHeld()})
      order by 1, 2, 3
      on conflict do nothing`,
    values: [column(refs, 'appId'), column(refs, 'userId'), column(refs, 'conversationId')],
  });
}
