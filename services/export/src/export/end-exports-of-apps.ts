import type { Tx } from '@parley/kit/postgres';
import { deleteExportsOfApp } from '../sql/export.ts';
import { disableSchedule, skipJournal } from '../sql/export-schedule.ts';
import { closeJournal } from '../sql/journal.ts';

/**
 * Ends the exports of deleted applications: none is begun any more, and existing ones, which could not be downloaded, are
 * deleted. Applications are locked in the order of their ids, as by the consumer of the journal.
 */
export async function endExportsOfApps(tx: Tx, appIds: readonly string[]): Promise<void> {
  for (const appId of appIds) {
    await disableSchedule(tx, appId);
    await skipJournal(tx, appId, await closeJournal(tx, appId));
    await deleteExportsOfApp(tx, appId);
  }
}
