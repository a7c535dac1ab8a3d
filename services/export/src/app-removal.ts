import { eventFilter } from '@parley/domain/events';
import { startAppRemovals } from '@parley/events/app-removals';
import type { AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import { endExportsOfApps } from './export/end-exports-of-apps.ts';
import type { Context } from './context.ts';
import { hasBlobs } from './sql/export-blob.ts';

const TABLES: readonly AppTable[] = [
  { table: 'export', order: ['id'] },
  { table: 'historical_request', order: [] },
  { table: 'journal', order: ['number'] },
  { table: 'export_schedule', order: [] },
  { table: 'journal_head', order: [] },
  { table: 'erased_person', order: ['user_id'] },
  { table: 'export_key', order: [] },
];

/** Removes the rows of deleted applications. */
export function startAppRemoval(ctx: Context, stopper: Stopper): void {
  startAppRemovals(ctx, stopper, {
    tables: TABLES,
    isPending: hasBlobs,
    events: { durable: 'export-apps', filter: eventFilter('app.deleted'), handle: endExportsOfApps },
  });
}
