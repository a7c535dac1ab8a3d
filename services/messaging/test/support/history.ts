import { draft, sendAll, type Room } from './actions.ts';
import type { TestMessaging } from './service.ts';

/** Inserts many unread messages of one sender directly, and sends some more by RPC from two users. */
export async function makeHistory(service: TestMessaging, room: Room, size: number): Promise<void> {
  const { appId, conversationId } = room;
  const written = Math.max(0, size - 300);
  await service.ctx.db.execute({
    text: `
      with written as (
        insert into message (app_id, conversation_id, position, id, sender_id, sent_at, body)
        select $1, $2, position, gen_random_uuid(), 'user 0', now(), '' from generate_series(1, $3::int8) as position
        returning position
      ), moved as (
        update conversation set head = $3 where app_id = $1 and id = $2
      )
      update participant set read_until = $3
      where app_id = $1 and conversation_id = $2 and user_id = 'user 0'`,
    values: [appId, conversationId, written],
  });
  await sendAll(
    service,
    Array.from({ length: size - written }, (_, index) => draft(room, `user ${index % 2}`)),
  );
}
