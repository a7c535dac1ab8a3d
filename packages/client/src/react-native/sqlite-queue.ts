import type { SqliteDatabase } from './database.ts';

type Work<T> = (run: SqliteDatabase['run']) => Promise<T>;

/** The one connection to a database, whose users take turns: each has it for itself until it is done. */
export type Queue = {
  read<T>(work: Work<T>): Promise<T>;
  /** Makes all changes or, if the work fails, none. */
  transact<T>(work: Work<T>): Promise<T>;
};

const queues = new WeakMap<SqliteDatabase, Queue>();

/** The queue of a database, which all storages in it share: their transactions would mix otherwise. */
export function queueOf(database: SqliteDatabase): Queue {
  const known = queues.get(database) ?? createQueue(database);
  queues.set(database, known);
  return known;
}

function createQueue({ run }: SqliteDatabase): Queue {
  let last: Promise<unknown> = Promise.resolve();
  /** Whether a transaction could not be rolled back, and may be open still. */
  let isLeftOpen = false;
  function read<T>(work: Work<T>): Promise<T> {
    const turn = last.then(() => work(run));
    last = turn.catch(() => undefined);
    return turn;
  }
  async function rollBack(): Promise<void> {
    isLeftOpen = await run('rollback', []).then(
      () => false,
      // SQLite may have ended the transaction itself, such as when the device is full.
      () => true,
    );
  }
  async function transact<T>(work: Work<T>): Promise<T> {
    if (isLeftOpen) await rollBack();
    await run('begin immediate', []);
    isLeftOpen = false;
    try {
      const result = await work(run);
      await run('commit', []);
      return result;
    } catch (error) {
      await rollBack();
      throw error;
    }
  }
  return { read, transact: (work) => read(() => transact(work)) };
}
