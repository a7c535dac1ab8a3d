import type { Write } from '../store/store.ts';
import { TABLES } from '../store/store.ts';
import { emptyRecords, loadList, readRecords, type Records } from '../records/in-memory.ts';
import type { Context } from './context.ts';

/** As if everything had changed. */
const ALL: readonly Write[] = TABLES.map((table) => ({ kind: 'removeGroup', table, group: '' }));

/**
 * Reads the records from the store again. Another tab may have written what it could not say any more, since it ended or this one was
 * asleep; above all the operations of the user, which the next leader has to send.
 */
export function reload(ctx: Context): Promise<void> {
  return ctx.serial(async () => {
    const fresh = emptyRecords();
    await readRecords(ctx.store, fresh);
    for (const conversation of ctx.records.lists.keys()) await loadList(ctx.store, fresh, conversation);
    for (const table of Object.keys(fresh) as (keyof Records)[]) replace(ctx.records[table], fresh[table]);
    ctx.changed(ALL, false);
  });
}

function replace(map: Map<string, unknown>, by: ReadonlyMap<string, unknown>): void {
  map.clear();
  for (const [key, value] of by) map.set(key, value);
}
