import { startAppRemovals } from '@parley/events/app-removals';
import { OUTBOX_DEAD_LETTER_TABLE, type AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from './context.ts';

/** The row of `app` is kept, and so are audit entries that name no user. */
const TABLES: readonly AppTable[] = [
  { table: 'session', order: ['user_id', 'id'] },
  { table: 'access_token', order: ['id'] },
  {
    table: 'provider_key',
    order: ['provider_id', 'id'],
    where: 'provider_id in (select id from provider where app_id = $1)',
  },
  { table: 'provider', order: ['id'] },
  { table: 'follower_notice', order: ['event_id'] },
  { table: 'follow_request', order: ['due_at', 'id'] },
  { table: 'idempotency_key', order: ['hash'] },
  { table: 'idempotency_usage', order: ['hour'] },
  { table: 'identity', order: ['user_id'] },
  { table: 'identity_word', order: ['user_id', 'word'] },
  { table: 'identity_change', order: ['user_id', 'version'] },
  { table: 'departure', order: ['user_id', 'gone_user_id', 'version'] },
  { table: 'deleted_conversation', order: ['conversation_id'] },
  { table: 'membership', order: ['user_id', 'conversation_id', 'joined_seq'] },
  { table: 'follow', order: ['owner_user_id', 'target_user_id'] },
  { table: 'following_stamp', order: ['user_id'] },
  { table: 'block', order: ['owner_user_id', 'blocked_user_id'] },
  { table: 'presence_hold', order: ['user_id', 'gateway_id'] },
  { table: 'presence', order: ['user_id'] },
  { table: 'badge', order: ['user_id'] },
  { table: 'push_token', order: ['user_id', 'device_id'] },
  { table: 'figure', order: ['minute'] },
  { table: 'event_log', order: ['id'] },
  {
    table: 'audit_entry',
    order: ['app_id', 'id'],
    where: `app_id = $1 and names_user and action !~ '^(app|provider|key|access_token)[.]'`,
  },
  OUTBOX_DEAD_LETTER_TABLE,
];

/**
 * Removes this service's data of deleted applications. The deletion is published once more at the end, for services that still ran the
 * previous release the first time, and removed less.
 */
export function startAppRemoval(ctx: Context, stopper: Stopper): void {
  startAppRemovals(ctx, stopper, {
    tables: TABLES,
    finish: (tx, appId) => ctx.emit(tx, { appId, body: { case: 'appDeleted', value: {} } }),
  });
}
