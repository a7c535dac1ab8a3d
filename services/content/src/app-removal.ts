import { eventFilter } from '@parley/domain/events';
import { startAppRemovals } from '@parley/events/app-removals';
import type { AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from './context.ts';
import { hasContent, queueAppContentRemoval } from './sql/deleted-app.ts';

/** Time after which no new upload of the application begins: longer than a gateway may still admit a user. */
const SETTLED_MS = 60_000;

/** Contents only after their bytes are removed from the store; `timers/remove-apps.ts` ends them before. */
const TABLES: readonly AppTable[] = [
  { table: 'deleted_conversation', order: ['conversation_id'] },
  { table: 'content_reference', order: ['content_id', 'message_id'] },
  { table: 'content_message', order: ['id'] },
  { table: 'erasure', order: ['user_id'] },
  { table: 'content_usage', order: ['user_id'] },
  { table: 'content', order: ['app_id', 'id'], where: 'app_id = $1 and purged_at is not null' },
  {
    table: 'content_part',
    order: ['app_id', 'content_id', 'start'],
    where: `app_id = $1 and not exists (
      select from content c where c.app_id = content_part.app_id and c.id = content_part.content_id)`,
  },
];

/** Removes the rows of deleted applications. */
export function startAppRemoval(ctx: Context, stopper: Stopper): void {
  startAppRemovals(ctx, stopper, {
    tables: TABLES,
    isPending: hasContent,
    events: {
      durable: 'content-apps',
      filter: eventFilter('app.deleted'),
      handle: async (tx, appIds) => {
        const at = ctx.clock.now();
        for (const appId of appIds) await queueAppContentRemoval(tx, { appId, at, dueAt: at + SETTLED_MS });
      },
    },
  });
}
