import type { Context } from '../context.ts';
import { deleteExportedEntries } from '../sql/journal.ts';

const BATCH = 5000;

/**
 * Events are kept until they are in an archive. This only makes room: no export waits for it, so that it need not serve
 * applications in turn.
 */
export async function purgeJournal({ db }: Context): Promise<void> {
  while ((await deleteExportedEntries(db, BATCH)) === BATCH);
}
