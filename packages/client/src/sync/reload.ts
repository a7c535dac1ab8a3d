import { emptyRecords, loadList, readRecords } from '../records/in-memory.ts';
import type { RecordWrite } from '../records/rows.ts';
import { TABLES } from '../store/store.ts';
import type { Context } from './context.ts';

/** As if everything had changed. */
const ALL: readonly RecordWrite[] = TABLES.map((table) => ({ kind: 'removeGroup', table, group: '' }));

/**
 * Reads the records from the store again. Another tab may have written what it could not say any more, since it ended or this one was
 * asleep; above all the operations of the user, which the next leader has to send.
 */
export async function reload(ctx: Context): Promise<void> {
  const { records, store, serial, changed, diagnose } = ctx;
  const task = serial(async () => {
    const fresh = emptyRecords();
    await readRecords(store, fresh);
    for (const conversation of records.lists.keys()) await loadList(store, fresh, conversation);
    for (const name of ['lists', ...TABLES] as const) replace<unknown>(records[name], fresh[name]);
    changed(ALL, false);
  });
  await task.catch((error: unknown) => diagnose('not_read_again', { reason: String(error) }));
}

function replace<V>(map: Map<string, V>, by: ReadonlyMap<string, V>): void {
  map.clear();
  for (const [key, value] of by) map.set(key, value);
}
