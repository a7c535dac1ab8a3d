import { eventFilter } from '@parley/domain/events';
import { startAppRemovals } from '@parley/events/app-removals';
import type { AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from './context.ts';
import { deleteWebhooksOfApp } from './sql/webhook.ts';

const TABLES: readonly AppTable[] = [
  { table: 'erased_user', order: ['user_id'] },
  { table: 'expansion', order: ['event_id'] },
  { table: 'erasure', order: ['user_id'] },
  { table: 'webhook', order: ['id'] },
  { table: 'delivery', order: ['webhook_id', 'id'] },
  { table: 'notice', order: ['id'] },
  { table: 'gone_item', order: ['list_id', 'id'] },
  { table: 'delivery_count', order: ['webhook_id', 'status'] },
  { table: 'removed_webhook', order: ['id'] },
];

/** Removes the rows of deleted applications. */
export function startAppRemoval(ctx: Context, stopper: Stopper): void {
  startAppRemovals(ctx, stopper, {
    tables: TABLES,
    events: {
      durable: 'webhook-apps',
      filter: eventFilter('app.deleted'),
      handle: async (tx, appIds) => {
        for (const appId of appIds) await deleteWebhooksOfApp(tx, appId, ctx.clock.now());
      },
    },
  });
}
