import type { Context } from '../context.ts';
import { deleteExportedEntries } from '../sql/journal.ts';

const BATCH = 5000;

/** Deletes exported events. No export waits for this, so it does not serve applications in turn. */
export async function purgeJournal({ db }: Context): Promise<void> {
  while ((await deleteExportedEntries(db, BATCH)) === BATCH);
}
