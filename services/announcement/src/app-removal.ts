import { eventFilter } from '@parley/domain/events';
import { startAppRemovals } from '@parley/events/app-removals';
import { OUTBOX_DEAD_LETTER_TABLE, type AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from './context.ts';

const TABLES: readonly AppTable[] = [
  { table: 'fan_out', order: ['announcement_id', 'slice'] },
  { table: 'erasure', order: ['user_id'] },
  { table: 'erased_user', order: ['user_id'] },
  { table: 'announcement', order: ['id'] },
  { table: 'received', order: ['user_id', 'position'] },
  { table: 'inbox', order: ['user_id'] },
  { table: 'event_log', order: ['id'] },
  OUTBOX_DEAD_LETTER_TABLE,
];

/** Removes what this service holds of deleted applications. */
export function startAppRemoval(ctx: Context, stopper: Stopper): void {
  startAppRemovals(ctx, stopper, {
    tables: TABLES,
    events: { durable: 'announcement-apps', filter: eventFilter('app.deleted') },
  });
}
