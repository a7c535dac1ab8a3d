import { catchEntry, type ContendedKeys } from './contended-keys.ts';
import { createCounter, type Counter } from './counter.ts';
import type { BatchLimit, Entry } from './entry.ts';

/** `isBusy`: a batch of the lane is in flight, or its first batch is about to be. */
export type Lane<I, O> = { entries: Entry<I, O>[]; isBusy: boolean };

/** Entries that wait for a batch, in lanes. */
export type Queue<I, O> = {
  readonly lanes: readonly Lane<I, O>[];
  readonly limit: BatchLimit;
  readonly laneOf: ((item: I) => number) | undefined;
  readonly groupOf: ((item: I) => string) | undefined;
  /** Entries in all lanes together. */
  size: number;
  /** The same by group; empty without `groupOf`. */
  readonly ofGroup: Counter;
};

type QueueOptions<I> = Pick<Queue<I, unknown>, 'limit' | 'laneOf' | 'groupOf'> & { lanes: number };

export function createQueue<I, O>({ lanes, limit, laneOf, groupOf }: QueueOptions<I>): Queue<I, O> {
  const all = Array.from({ length: lanes }, (): Lane<I, O> => ({ entries: [], isBusy: false }));
  return { lanes: all, limit, laneOf, groupOf, size: 0, ofGroup: createCounter() };
}

/** The lane of an item; undefined when `laneOf` gives no integer. */
export function findLane<I, O>({ lanes, laneOf }: Queue<I, O>, item: I): Lane<I, O> | undefined {
  return lanes[laneOf ? Math.abs(laneOf(item)) % lanes.length : 0];
}

export function append<I, O>(queue: Queue<I, O>, lane: Lane<I, O>, entry: Entry<I, O>): void {
  lane.entries.push(entry);
  count(queue, entry.item, 1);
}

export function prepend<I, O>(queue: Queue<I, O>, lane: Lane<I, O>, entries: Entry<I, O>[]): void {
  lane.entries = [...entries, ...lane.entries];
  for (const { item } of entries) count(queue, item, 1);
}

/** Removes the next batch from a lane. Entries whose keys are set apart on the way join those of their keys instead. */
export function takeBatch<I, O>(
  queue: Queue<I, O>,
  lane: Lane<I, O>,
  keys: ContendedKeys<I, O> | undefined,
): Entry<I, O>[] {
  const { limit } = queue;
  const batch: Entry<I, O>[] = [];
  let bytes = 0;
  let passed = 0;
  for (const entry of lane.entries) {
    if (!keys || !catchEntry(keys, entry)) {
      bytes += entry.size;
      if (batch.length > 0 && (batch.length === limit.items || bytes > limit.bytes)) break;
      batch.push(entry);
    }
    count(queue, entry.item, -1);
    passed += 1;
  }
  lane.entries.splice(0, passed);
  return batch;
}

function count<I, O>(queue: Queue<I, O>, item: I, change: 1 | -1): void {
  queue.size += change;
  if (queue.groupOf) queue.ofGroup.add(queue.groupOf(item), change);
}
