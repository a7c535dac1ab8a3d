import { createConcurrency, type Level } from '../flow/limits/concurrency.ts';
import type { Database } from './index.ts';
import { currentContext } from '../runtime/request-context.ts';

export type PoolShares = {
  /** Runs a call of an application that uses the pool. */
  run<T>(appId: string, work: () => Promise<T>): Promise<T>;
  /** Runs a call that costs as much as dozens of ordinary ones; few calls of an application run at once. */
  runHeavy<T>(appId: string, work: () => Promise<T>): Promise<T>;
  /** Runs a step of long work that no user waits for, such as a page of an export: few run at once, and only one of an application. */
  runBackground<T>(appId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a short call that serves a batch or queue for several applications: it does not wait behind other calls of its application. Few
   * run at once, and only one of an application.
   */
  runBatched<T>(appId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs calls that lock the same row one at a time, in order of arrival. Waiting calls hold no share: `work` takes one when its turn
   * comes.
   */
  inOrder<T>(appId: string, locked: string, work: () => Promise<T>): Promise<T>;
};

export type PoolSharesOptions = {
  poolSize: number;
  /** Creates the error for a call that finds its application's queue full, or has no time left to wait. */
  refusal: () => Error;
};

const WAITING_OF_APP = 1_000;
/**
 * When more calls of all applications than this are waiting, only an application with fewer than `GUARANTEED` waiting calls may add one.
 */
const WAITING = 20_000;
const GUARANTEED = 20;

/** Time before the deadline that is reserved for the call itself; at most half of the remaining time. Milliseconds. */
const WORK_MS = 1_500;
/** Longest wait of a call without a deadline, which only a stream that reads page by page may lack. Milliseconds. */
const LONGEST_MS = 120_000;

/**
 * Divides a pool of database connections among applications: all calls together take at most three quarters, the calls of
 * one application half, its heavy calls an eighth, background work of all applications an eighth. Further calls wait, at
 * most until shortly before their deadline, round-robin by application. The last quarter is for work without a known
 * application: consumers, jobs, batches for several applications, and look-ups of tokens. Calls that such batches make to
 * another service, each for one application (`runBatched`), take at most half of that quarter.
 *
 * Work must not take a second share, which it might wait for forever, nor wait long for the row lock of another call, since
 * it holds a connection meanwhile.
 */
export function createPoolShares({ poolSize, refusal }: PoolSharesOptions): PoolShares {
  const of = (part: number): number => Math.max(1, Math.floor(poolSize * part));
  const waitMs = (): number => longestWait(currentContext()?.deadline, performance.now());
  const limit = (...running: [all: number, ofApp: number, ...rest: number[]]) =>
    createConcurrency({ levels: levelsOf(running), waitMs, refusal });
  const all = limit(of(3 / 4), of(1 / 2));
  const heavy = limit(Infinity, of(1 / 8));
  const background = limit(of(1 / 8), 1);
  const batched = limit(of(1 / 8), 1);
  const ordered = limit(Infinity, Infinity, 1);
  const run: PoolShares['run'] = (appId, work) => all.run(['', appId], work);
  return {
    run,
    runHeavy: (appId, work) => heavy.run(['', appId], () => run(appId, work)),
    runBackground: (appId, work) => background.run(['', appId], () => run(appId, work)),
    runBatched: (appId, work) => batched.run(['', appId], work),
    inOrder: (appId, locked, work) => ordered.run(['', appId, locked], work),
  };
}

function levelsOf(running: readonly number[]): Level[] {
  return running.map((most, level) => ({
    running: most,
    ...(level === 0 ? { waiting: WAITING, guaranteed: GUARANTEED } : { waiting: WAITING_OF_APP }),
  }));
}

/** The database as one application uses it: each statement and transaction takes the application's share. */
export function shareOf(db: Database, shares: PoolShares, appId: string): Database {
  return {
    query: (query) => shares.run(appId, () => db.query(query)),
    execute: (query) => shares.run(appId, () => db.execute(query)),
    tx: (fn, options) => shares.run(appId, () => db.tx(fn, options)),
    tryLock: (name) => db.tryLock(name),
    directWriter: (connections) => db.directWriter(connections),
    place: () => db.place(),
    get statements() {
      return db.statements;
    },
    close: () => db.close(),
  };
}

/** Longest wait of a call with a deadline. Milliseconds; both times are by `performance.now()`. */
export function longestWait(deadline: number | undefined, now: number): number {
  if (deadline === undefined) return LONGEST_MS;
  const left = Math.max(0, deadline - now);
  return Math.min(LONGEST_MS, left - Math.min(WORK_MS, left / 2));
}
