import type { Tx } from '@parley/kit/postgres';
import { deleteExportsOfApp } from './sql/export.ts';
import { disableSchedule, skipJournal } from './sql/export-schedule.ts';
import { closeJournal } from './sql/journal.ts';

/**
 * Nobody could download the exports of applications that are deleted: no more are made, and those that are there go. One
 * application after the other in the order of their ids, as the consumer of the journal locks them.
 */
export async function closeExports(tx: Tx, appIds: readonly string[]): Promise<void> {
  for (const appId of appIds) {
    await disableSchedule(tx, appId);
    await skipJournal(tx, appId, await closeJournal(tx, appId));
    await deleteExportsOfApp(tx, appId);
  }
}
