import { resultOf, type Connection } from './indexeddb-connection.ts';
import { VALUES } from './indexeddb-rows.ts';

/** Key of the latest epoch. `[EPOCH, n]` is a mark that epoch n has begun. */
const EPOCH = 'epoch';

/** Number of epochs whose marks are kept. A tab could write by mistake only if it were suspended while this many others led. */
const KEPT_MARKS = 1_000;

/** Begins the next epoch, and changes other stores in the same transaction. Returns the epoch's number. */
export async function beginEpoch(
  connection: Connection,
  stores: string[] = [],
  more: (transaction: IDBTransaction) => void = () => undefined,
): Promise<number> {
  for (;;) {
    const epoch = (await latestEpoch(connection)) + 1;
    try {
      await connection.change([VALUES, ...stores], (transaction) => {
        const values = transaction.objectStore(VALUES);
        values.add(true, [EPOCH, epoch]);
        values.put(epoch, EPOCH);
        values.delete(IDBKeyRange.bound([EPOCH], [EPOCH, epoch - KEPT_MARKS]));
        more(transaction);
        transaction.commit();
        return Promise.resolve();
      });
      return epoch;
    } catch (error) {
      // Another tab has begun this epoch meanwhile.
      if (!isConstraint(error)) throw error;
    }
  }
}

/**
 * Makes a transaction fail with a ConstraintError if an epoch later than this one has begun. It needs no answer from the store, so the
 * transaction can be committed at once.
 */
export function failAfter(transaction: IDBTransaction, epoch: number): void {
  const values = transaction.objectStore(VALUES);
  values.add(true, [EPOCH, epoch + 1]);
  values.delete([EPOCH, epoch + 1]);
}

/** Whether a transaction was ended by an existing mark. */
export function isConstraint(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'ConstraintError';
}

function latestEpoch(connection: Connection): Promise<number> {
  return connection.read([VALUES], async (transaction) => {
    const found = resultOf<number | undefined>(transaction.objectStore(VALUES).get(EPOCH));
    transaction.commit();
    return (await found) ?? 0;
  });
}
