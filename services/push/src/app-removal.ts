import { eventFilter } from '@parley/domain/events';
import { startAppRemovals } from '@parley/events/app-removals';
import { OUTBOX_DEAD_LETTER_TABLE, type AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from './context.ts';

const TABLES: readonly AppTable[] = [
  { table: 'erasure', order: ['user_id'] },
  { table: 'erased_user', order: ['user_id'] },
  { table: 'vapid_key', order: ['app_id'] },
  { table: 'credentials', order: ['provider'] },
  { table: 'push_settings', order: ['app_id'] },
  { table: 'delivery', order: ['target_id', 'id'] },
  { table: 'gone_item', order: ['list_id', 'id'] },
  OUTBOX_DEAD_LETTER_TABLE,
];

/** Removes the rows of deleted applications. */
export function startAppRemoval(ctx: Context, stopper: Stopper): void {
  startAppRemovals(ctx, stopper, {
    tables: TABLES,
    events: { durable: 'push-apps', filter: eventFilter('app.deleted') },
  });
}
