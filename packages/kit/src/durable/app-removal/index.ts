import {
  DEAD_LETTER_TABLE,
  deleteRowsOfApp,
  insertTombstones,
  moveRemoval,
  REMOVAL_QUEUE,
  type AppTable,
  type Removal,
} from './tables.ts';
import type { Clock } from '../../runtime/clock/index.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Database, Sql, Tx } from '../../postgres/index.ts';
import { createRounds, stepSize, type Rounds } from '../work/queue.ts';

export { APP_REMOVAL_TABLES_SQL, OUTBOX_DEAD_LETTER_TABLE, type AppTable } from './tables.ts';

/** After this time no row is added: longer than a gateway may still admit a user, and longer than any transaction. Milliseconds. */
const SETTLED_MS = 60_000;
/** How long a removal waits for other jobs that must finish first. Milliseconds. */
const PENDING_MS = 10_000;
/** Most rows that one step deletes. */
const BATCH = 1000;

export type AppRemovalOptions = {
  db: Database;
  log: Logger;
  clock: Clock;
  /** All tables that hold rows of applications, except `dead_letter`, in the order in which they are emptied. */
  tables: readonly AppTable[];
  /** Whether another job still needs some rows, for example those of blobs that have to be removed from the store. */
  isPending?: (sql: Sql, appId: string) => Promise<boolean>;
  /** Runs in the transaction that ends the removal. */
  finish?: (tx: Tx, appId: string) => Promise<void>;
};

/**
 * Deletes the rows of deleted applications in bounded steps, round-robin by application. A removal ends when a pass through all tables
 * finds nothing; its row of app_tombstone is kept.
 */
export function createAppRemovals(options: AppRemovalOptions): Rounds {
  const { db, log, clock } = options;
  return createRounds({
    queue: REMOVAL_QUEUE,
    db,
    log,
    clock,
    async step(removal) {
      let isPending = false;
      await REMOVAL_QUEUE.work(db, removal, async (tx) => {
        if (!(await isEmpty(options, tx, removal))) return false;
        isPending = (await options.isPending?.(tx, removal.app_id)) ?? false;
        if (isPending) return false;
        await options.finish?.(tx, removal.app_id);
        return true;
      });
      const released = { ...removal, attempts: 0 };
      if (isPending) await REMOVAL_QUEUE.postpone(db, released, clock.now() + PENDING_MS);
    },
  });
}

/** Deletes a batch of rows. True when no table had any. */
async function isEmpty({ tables }: AppRemovalOptions, tx: Tx, removal: Removal): Promise<boolean> {
  const { app_id: appId, at_table: atTable } = removal;
  const limit = stepSize(BATCH, removal);
  const all = [...tables, DEAD_LETTER_TABLE];
  const first = Math.max(
    0,
    all.findIndex(({ table }) => table === atTable),
  );
  for (const table of all.slice(first)) {
    if ((await deleteRowsOfApp(tx, { table, appId, limit })) === 0) continue;
    await moveRemoval(tx, appId, table.table);
    return false;
  }
  if (first > 0) await moveRemoval(tx, appId, '');
  return first === 0;
}

/** Records deletions. Returns, in order, the applications that were not recorded before; their removal begins in a minute. */
export function noteDeletedApps(tx: Tx, appIds: readonly string[], clock: Clock): Promise<string[]> {
  const at = clock.now();
  return insertTombstones(tx, { appIds, at, dueAt: at + SETTLED_MS });
}
