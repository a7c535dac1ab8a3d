import { lockApps } from './app-locks.ts';
import type { Database, Tx } from '../postgres.ts';

const PURPOSE = 'erasures';

/**
 * To be called once in a transaction that writes what an erasure may have to take, before it looks up who is erased and before
 * it locks rows that belong to what it writes. An erasure that is not seen afterwards waits for the end of the transaction.
 */
export function holdOffErasures(tx: Tx, appIds: readonly string[]): Promise<void> {
  return lockApps(tx, PURPOSE, { shared: appIds });
}

/**
 * To be awaited before each step of an erasure whose user is on record as erased: then what was written by transactions that
 * did not see it is visible. It is a transaction of its own, which holds nothing else while it waits.
 */
export async function awaitWritesBeforeErasure(db: Database, appId: string): Promise<void> {
  await db.tx((tx) => lockApps(tx, PURPOSE, { alone: [appId] }));
}
