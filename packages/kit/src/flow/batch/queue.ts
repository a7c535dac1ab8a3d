import { catchEntry, type ContendedKeys } from './contended-keys.ts';
import { createCounter, type Counter } from './counter.ts';
import type { BatchLimit, Entry } from './entry.ts';

/** Entries that run in one order. `isBusy`: a batch with some of them is in flight. */
export type Half<I, O> = { entries: Entry<I, O>[]; isBusy: boolean };

/** `isDue`: its next batches begin at the end of this turn of the event loop. `turns`: number of batches begun so far. */
export type Lane<I, O> = { readonly halves: readonly Half<I, O>[]; isDue: boolean; turns: number };

/** Entries that wait for a batch, in lanes. */
export type Queue<I, O> = {
  readonly lanes: readonly Lane<I, O>[];
  readonly limit: BatchLimit;
  readonly laneOf: ((item: I) => number) | undefined;
  readonly groupOf: ((item: I) => string) | undefined;
  /** Number of waiting entries from which a half forms its own batch; Infinity: lanes are not split. */
  readonly splitFrom: number;
  /** Entries in all lanes together. */
  size: number;
  /** Counts by group; empty without `groupOf`. */
  readonly ofGroup: Counter;
};

type QueueOptions<I> = Pick<Queue<I, unknown>, 'limit' | 'laneOf' | 'groupOf' | 'splitFrom'> & {
  lanes: number;
};

/** The queue in which an item waits. */
export type Place<I, O> = { lane: Lane<I, O>; half: Half<I, O> };

export function createQueue<I, O>({ lanes, ...options }: QueueOptions<I>): Queue<I, O> {
  const halves = options.splitFrom === Infinity ? 1 : 2;
  const all = Array.from({ length: lanes }, (): Lane<I, O> => ({
    halves: Array.from({ length: halves }, () => ({ entries: [], isBusy: false })),
    isDue: false,
    turns: 0,
  }));
  return { ...options, lanes: all, size: 0, ofGroup: createCounter() };
}

/** The place of an item; undefined when `laneOf` gives no integer. */
export function findPlace<I, O>({ lanes, laneOf }: Queue<I, O>, item: I): Place<I, O> | undefined {
  const number = laneOf ? Math.abs(laneOf(item)) : 0;
  const lane = lanes[number % lanes.length];
  const half = lane?.halves[Math.floor(number / lanes.length) % lane.halves.length];
  return lane && half && { lane, half };
}

export function append<I, O>(queue: Queue<I, O>, half: Half<I, O>, entry: Entry<I, O>): void {
  half.entries.push(entry);
  count(queue, entry.item, 1);
}

export function prepend<I, O>(queue: Queue<I, O>, half: Half<I, O>, entries: Entry<I, O>[]): void {
  half.entries = [...entries, ...half.entries];
  for (const { item } of entries) count(queue, item, 1);
}

/**
 * Halves of a lane whose batches may begin now, grouped by batch. Short halves share a batch, since a batch costs much
 * regardless of its size; two batches of enough entries keep the next process busy while this one reads an answer.
 */
export function dueHalves<I, O>({ splitFrom }: Queue<I, O>, lane: Lane<I, O>): Half<I, O>[][] {
  const idle = lane.halves.filter(({ isBusy, entries }) => !isBusy && entries.length > 0);
  const full = idle.filter(({ entries }) => entries.length >= splitFrom);
  if (isInFlight(lane) || full.length === lane.halves.length) return full.map((half) => [half]);
  if (idle.length === 0) return [];
  // The two halves alternate, so that neither waits behind a full batch forever.
  return [lane.turns % 2 === 0 ? idle : idle.toReversed()];
}

export function isInFlight<I, O>({ halves }: Lane<I, O>): boolean {
  return halves.some(({ isBusy }) => isBusy);
}

/** Removes the next batch from these halves of a lane. Entries whose keys are set apart join the entries of their keys instead. */
export function takeBatch<I, O>(
  queue: Queue<I, O>,
  halves: readonly Half<I, O>[],
  keys: ContendedKeys<I, O> | undefined,
): Entry<I, O>[] {
  const batch: Entry<I, O>[] = [];
  const taken = { bytes: 0 };
  for (const half of halves) takeFrom(queue, half, { keys, batch, taken });
  return batch;
}

type Taking<I, O> = {
  keys: ContendedKeys<I, O> | undefined;
  batch: Entry<I, O>[];
  taken: { bytes: number };
};

function takeFrom<I, O>(queue: Queue<I, O>, half: Half<I, O>, { keys, batch, taken }: Taking<I, O>): void {
  const { limit } = queue;
  let passed = 0;
  for (const entry of half.entries) {
    if (!keys || !catchEntry(keys, entry)) {
      const bytes = taken.bytes + entry.size;
      if (batch.length > 0 && (batch.length === limit.items || bytes > limit.bytes)) break;
      taken.bytes = bytes;
      batch.push(entry);
    }
    count(queue, entry.item, -1);
    passed += 1;
  }
  half.entries.splice(0, passed);
}

function count<I, O>(queue: Queue<I, O>, item: I, change: 1 | -1): void {
  queue.size += change;
  if (queue.groupOf) queue.ofGroup.add(queue.groupOf(item), change);
}
