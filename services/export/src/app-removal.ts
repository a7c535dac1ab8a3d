import { eventFilter } from '@parley/domain/events';
import { consumeDeletedApps, startAppRemovals, type AppTable } from '@parley/kit/app-removal';
import type { Stopper } from '@parley/kit/process';
import { closeExports } from './export/end-exports-of-apps.ts';
import type { Context } from './context.ts';
import { hasBlobs } from './sql/export-blob.ts';

const tables: readonly AppTable[] = [
  { table: 'export', order: ['id'] },
  { table: 'historical_request', order: [] },
  { table: 'journal', order: ['number'] },
  { table: 'export_schedule', order: [] },
  { table: 'journal_head', order: [] },
  { table: 'erased_person', order: ['user_id'] },
  { table: 'export_key', order: [] },
];

/** Removes what this service holds of deleted applications. */
export function startAppRemoval({ db, bus, log, clock, metrics }: Context, stopper: Stopper): void {
  const shared = { db, log, clock };
  consumeDeletedApps(
    {
      ...{ ...shared, bus, metrics, durable: 'export-apps', filter: eventFilter('app.deleted') },
      handle: closeExports,
    },
    stopper,
  );
  startAppRemovals({ ...shared, tables, isPending: hasBlobs }, stopper);
}
