import { lockApps } from './app-locks.ts';
import type { Database, Tx } from './index.ts';

const PURPOSE = 'erasures';

/**
 * Blocks erasures. Call it once in a transaction that writes data which an erasure may have to delete: before it looks up erased users and
 * before it locks rows. An erasure that the transaction does not see then waits for the end of the transaction.
 */
export function holdOffErasures(tx: Tx, appIds: readonly string[]): Promise<void> {
  return lockApps(tx, PURPOSE, { shared: appIds });
}

/**
 * Waits, before each step of an erasure whose user is recorded as erased, until all writes of transactions that did not see the erasure are
 * visible. This is a separate transaction, which holds no other locks while it waits.
 */
export async function awaitWritesBeforeErasure(db: Database, appId: string): Promise<void> {
  await db.tx((tx) => lockApps(tx, PURPOSE, { alone: [appId] }));
}
