import type { SqliteDatabase } from './database.ts';

type Work<T> = (run: SqliteDatabase['run']) => Promise<T>;

/** The one connection to a database, whose users take turns: each has it for itself until it is done. */
export type Queue = {
  read<T>(work: Work<T>): Promise<T>;
  /** Makes all changes or, if the work fails, none. */
  transact<T>(work: Work<T>): Promise<T>;
};

export function createQueue(database: SqliteDatabase): Queue {
  let last: Promise<unknown> = Promise.resolve();
  function read<T>(work: Work<T>): Promise<T> {
    const turn = last.then(() => work(database.run));
    last = turn.catch(() => undefined);
    return turn;
  }
  return { read, transact: (work) => read((run) => transact(run, work)) };
}

async function transact<T>(run: SqliteDatabase['run'], work: Work<T>): Promise<T> {
  await begin(run);
  try {
    const result = await work(run);
    await run('commit', []);
    return result;
  } catch (error) {
    // SQLite may have ended the transaction itself, such as when the device is full.
    await run('rollback', []).catch(() => undefined);
    throw error;
  }
}

/** Also after a transaction that could not be rolled back. */
async function begin(run: SqliteDatabase['run']): Promise<void> {
  try {
    await run('begin immediate', []);
  } catch {
    await run('rollback', []).catch(() => undefined);
    await run('begin immediate', []);
  }
}
