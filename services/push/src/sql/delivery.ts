import type { Sql } from '@parley/kit/postgres';
import type { Provider } from '../provider/route.ts';

export type NewDelivery = {
  appId: string;
  targetId: string;
  id: string;
  eventId: string;
  userId: string;
  deviceId: string;
  provider: Provider;
  conversationId: string | null;
  messageId: string | null;
  senderId: string | null;
  /** Times in milliseconds. */
  createdAt: number;
  dueAt: number;
  expiresAt: number;
  /** Whether another service awaits the result. */
  isAwaited: boolean;
  /** Trace of the request that led to the push, if that is traced. */
  traceparent: string | null;
  /** parley.push.v1.PushContent */
  content: Uint8Array;
};

/**
 * Stores deliveries. A device gets one delivery of each event: further ones are left out, as are those to and from users who
 * were erased since the event.
 */
export async function insertDeliveries(sql: Sql, deliveries: readonly NewDelivery[]): Promise<void> {
  const column = <Name extends keyof NewDelivery>(name: Name): NewDelivery[Name][] =>
    deliveries.map((delivery) => delivery[name]);
  await sql.execute({
    name: 'insert_deliveries',
    text: `
      insert into delivery (app_id, target_id, id, event_id, user_id, device_id, provider, conversation_id, message_id,
        sender_id, created_at, due_at, expires_at, content, is_awaited, traceparent)
      select row.app_id, target_id, id, event_id, row.user_id, device_id, provider, conversation_id, message_id, sender_id,
        to_timestamp(created_at / 1000), to_timestamp(due_at / 1000), to_timestamp(expires_at / 1000), content, is_awaited, traceparent
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::uuid[],
        $10::text[], $11::float8[], $12::float8[], $13::float8[], $14::bytea[], $15::bool[], $16::text[])
        as row (app_id, target_id, id, event_id, user_id, device_id, provider, conversation_id, message_id, sender_id,
          created_at, due_at, expires_at, content, is_awaited, traceparent)
      where not exists (
        select from erased_user e
        where e.app_id = row.app_id and e.user_id in (row.user_id, row.sender_id)
          and e.erased_at >= to_timestamp(row.created_at / 1000))
      order by row.app_id, event_id, device_id
      on conflict do nothing`,
    values: [
      column('appId'),
      column('targetId'),
      column('id'),
      column('eventId'),
      column('userId'),
      column('deviceId'),
      column('provider'),
      column('conversationId'),
      column('messageId'),
      column('senderId'),
      column('createdAt'),
      column('dueAt'),
      column('expiresAt'),
      column('content'),
      column('isAwaited'),
      column('traceparent'),
    ],
  });
}
