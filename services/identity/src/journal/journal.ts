import { eachApart, stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import type { Objects } from '@parley/blobs/objects/objects';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Database, Tx } from '@parley/kit/postgres';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { every, type Job } from '@parley/kit/durable/work/every';
import { newId } from '@parley/domain/ids';
import type { Metrics } from '@parley/kit/runtime/telemetry/metrics';
import {
  countWaiting,
  deleteStoredBefore,
  insertEntry,
  listWaiting,
  markStored,
} from '../sql/journal-entry.ts';
import { ALL_DAYS, dayPrefix, encodeEntries, newKey, type Act } from './entry.ts';

const STORE_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Entries of one object. */
const BATCH = 500;
const PRUNED_AT_ONCE = 1_000;

export type JournalOptions = {
  db: Database;
  log: Logger;
  clock: Clock;
  metrics: Metrics;
  /** Undefined: no journal is kept. */
  store: Objects | undefined;
  days: number;
};

/**
 * An append-only record of what a restore of the database must not undo, kept outside of it. An entry is a row in the transaction of
 * its act, so an outage of the store stops nothing; it is stored outside right after the commit, at least once. The rows stay as long
 * as the objects: an object's entry without a row is an act that the database has lost. docs/operations.md#the-journal
 */
export type Journal = {
  readonly store: Objects | undefined;
  add(tx: Tx, act: Act): Promise<void>;
  /** Stores waiting entries; resolves when everything committed before the call is stored. */
  flush(): Promise<void>;
  /** Removes entries that are older than the journal's retention. */
  prune(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

export function createJournal(options: JournalOptions): Journal {
  const { clock, store, log, db } = options;
  const jobs: Job[] = [];
  options.metrics.reading({
    name: 'journal_waiting',
    help: 'Entries of the journal that are not stored outside of the database.',
    read: () => countWaiting(db),
  });
  const flush = () => (store ? storeWaiting(options, store) : Promise.resolve());
  const prune = () => (store ? pruneOld(options, store) : Promise.resolve());
  return {
    store,
    async add(tx, act) {
      if (!store) return;
      await insertEntry(tx, { id: newId(), at: clock.now(), act });
      tx.afterCommit(() => void jobs[0]?.runNow(), 'same');
    },
    flush,
    prune,
    start() {
      const timing = { db, log, clock };
      jobs.push(every({ ...timing, name: 'store-journal', intervalMs: STORE_EVERY_MS, run: flush }));
      jobs.push(every({ ...timing, name: 'prune-journal', intervalMs: PRUNE_EVERY_MS, run: prune }));
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

async function storeWaiting({ db, clock }: JournalOptions, store: Objects): Promise<void> {
  for (;;) {
    const entries = await listWaiting(db, BATCH);
    const [first] = entries;
    if (!first) return;
    // A key of its own for each attempt: a late one must not replace an object with more entries.
    await store.put(newKey(first), encodeEntries(entries));
    const ids = entries.map(({ id }) => id);
    await markStored(db, ids, clock.now());
    if (entries.length < BATCH) return;
  }
}

/** Whole days whose entries have all expired. */
function pruneOld({ db, clock, days }: JournalOptions, store: Objects): Promise<void> {
  const before = clock.now() - days * DAY_MS;
  return stepsApart([
    () => removeOld(store, before),
    // The rows stay longer, so that no object is taken for an act that was lost.
    () => untilLess(BATCH, () => deleteStoredBefore(db, before - 2 * DAY_MS, BATCH)),
  ]);
}

async function removeOld(store: Objects, before: number): Promise<void> {
  const kept = dayPrefix(before);
  for (;;) {
    const keys = await store.list({ prefix: ALL_DAYS, after: '', limit: PRUNED_AT_ONCE });
    const old = keys.filter((key) => key < kept);
    await eachApart(old, (key) => store.remove(key));
    if (old.length < PRUNED_AT_ONCE) break;
  }
}
