import { Code, ConnectError } from '@connectrpc/connect';
import { startTimeout } from '../clock.ts';
import { createCounter } from './counter.ts';
import { ContendedError, fitting, runBatch, type Answer, type Entry } from './entry.ts';

/**
 * What a batcher does with items of a contended key: one that another transaction holds, such as a locked row.
 *
 * The items of such a key are set apart in their order, and further items of the key queue behind them; all other items
 * proceed. The key is tried again with the next batch, which never waits, and then alternately alone with `wait`, which
 * waits a short time in the queue of the lock, and with a batch after a delay. So contended keys never use more
 * connections than there are turns, and a key in constant use is not starved.
 */
export type Contention<I, O> = {
  keyOf(item: I): string;
  /** The tenant that an item belongs to. */
  groupOf(item: I): string;
  /** Runs items of one key; it may wait a short time for the lock. */
  wait(items: I[]): Promise<Answer<O>[]>;
  /** Limits the calls of `wait` that run at once; several batchers may share them. */
  turns: WaitingTurns;
  /** Milliseconds since the epoch; from then on the item is rejected with a ContendedError instead of tried again. */
  giveUpAt(item: I): number;
};

/** A number of places, of which each group (tenant) may take a few. */
export type WaitingTurns = {
  /** False when no place is left. */
  take(group: string): boolean;
  giveBack(group: string): void;
};

export function createWaitingTurns({ max, maxOfGroup }: { max: number; maxOfGroup: number }): WaitingTurns {
  const taken = createCounter();
  return {
    take(group) {
      if (taken.total() >= max || taken.of(group) >= maxOfGroup) return false;
      taken.add(group, 1);
      return true;
    },
    giveBack: (group) => taken.add(group, -1),
  };
}

type Options<I, O> = {
  contention: Contention<I, O>;
  limit: { items: number; bytes: number };
  /** Items of one group that may be set apart; further ones are refused with ResourceExhausted. */
  maxHeldOfGroup: number;
  /** Puts entries, all of one lane, in front of that lane's queue. */
  offer(entries: Entry<I, O>[]): void;
  runDetached<T>(fn: () => T): T;
  /** Called when no key is set apart any more. */
  onIdle(): void;
};

export type Holds<I, O> = {
  /** True when the entry's key is set apart; the entry then waits behind the earlier ones of its key. */
  catches(entry: Entry<I, O>): boolean;
  /** Takes note of a batch's answers, and sets contended entries apart. */
  answered(batch: Entry<I, O>[], contended: Entry<I, O>[]): void;
  /** Entries that are set apart. */
  readonly size: number;
  sizeOfGroup(group: string): number;
  readonly isIdle: boolean;
};

type Key<I, O> = { name: string; group: string; entries: Entry<I, O>[]; tries: number; isHeld: boolean };

const FIRST_DELAY_MS = 4;
const LONGEST_DELAY_MS = 50;

export function createHolds<I, O>(options: Options<I, O>): Holds<I, O> {
  const { contention, limit, maxHeldOfGroup, offer, runDetached, onIdle } = options;
  const { keyOf, groupOf, giveUpAt, turns } = contention;
  const keys = new Map<string, Key<I, O>>();
  const heldOfGroup = createCounter();
  let heldKeys = 0;

  function catches(entry: Entry<I, O>): boolean {
    if (keys.size === 0) return false;
    const key = keys.get(keyOf(entry.item));
    if (!key?.isHeld) return false;
    if (giveUpAt(entry.item) <= Date.now()) entry.reject(new ContendedError());
    else if (heldOfGroup.of(key.group) >= maxHeldOfGroup) entry.reject(tooMany());
    else {
      key.entries.push(entry);
      heldOfGroup.add(key.group, 1);
    }
    return true;
  }

  function answered(batch: Entry<I, O>[], contended: Entry<I, O>[]): void {
    if (contended.length === 0 && keys.size === 0) return;
    const again = Map.groupBy(contended, ({ item }) => keyOf(item));
    for (const { item } of batch) if (!again.has(keyOf(item))) keys.delete(keyOf(item));
    offerAll([...again].flatMap(([name, entries]) => setApart(name, entries)));
  }

  // Returns the entries to try again at once.
  function setApart(name: string, entries: Entry<I, O>[]): Entry<I, O>[] {
    const item = entries[0]?.item;
    if (item === undefined) return [];
    const key = keys.get(name) ?? { name, group: groupOf(item), entries: [], tries: 0, isHeld: false };
    keys.set(name, key);
    if (!key.isHeld) heldKeys += 1;
    key.isHeld = true;
    hold(key, [...entries, ...key.entries]);
    return proceed(key);
  }

  function proceed(key: Key<I, O>): Entry<I, O>[] {
    key.tries += 1;
    giveUp(key);
    if (key.entries.length === 0) return release(key);
    if (key.tries === 1) return unhold(key);
    if (key.tries % 2 === 0 && turns.take(key.group)) void wait(key);
    else startTimeout(contentionDelay(key.tries), () => offerAll(tryAgain(key)));
    return [];
  }

  async function wait(key: Key<I, O>): Promise<void> {
    const batch = key.entries.slice(0, fitting(key.entries, limit));
    hold(key, key.entries.slice(batch.length));
    const contended = await runDetached(() => runBatch(batch, contention.wait));
    turns.giveBack(key.group);
    hold(key, [...contended, ...key.entries]);
    offerAll(contended.length > 0 ? proceed(key) : release(key));
  }

  function giveUp(key: Key<I, O>): void {
    const now = Date.now();
    const [late, rest] = partition(key.entries, ({ item }) => giveUpAt(item) <= now);
    if (late.length === 0) return;
    hold(key, rest);
    for (const entry of late) entry.reject(new ContendedError());
  }

  function tryAgain(key: Key<I, O>): Entry<I, O>[] {
    giveUp(key);
    return key.entries.length === 0 ? release(key) : unhold(key);
  }

  // The key counts as free until a later batch finds it contended again.
  function release(key: Key<I, O>): Entry<I, O>[] {
    keys.delete(key.name);
    return unhold(key);
  }

  function unhold(key: Key<I, O>): Entry<I, O>[] {
    const { entries } = key;
    hold(key, []);
    key.isHeld = false;
    heldKeys -= 1;
    return entries;
  }

  function offerAll(entries: Entry<I, O>[]): void {
    if (entries.length > 0) offer(entries);
    if (heldKeys === 0) onIdle();
  }

  function hold(key: Key<I, O>, entries: Entry<I, O>[]): void {
    heldOfGroup.add(key.group, entries.length - key.entries.length);
    key.entries = entries;
  }

  return {
    catches,
    answered,
    get size() {
      return heldOfGroup.total();
    },
    sizeOfGroup: heldOfGroup.of,
    get isIdle() {
      return heldKeys === 0;
    },
  };
}

/** Milliseconds until the next try that does not wait. Doubles with each try, with jitter. */
export function contentionDelay(tries: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 2)) * (0.5 + Math.random() / 2);
}

function partition<T>(all: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

function tooMany(): ConnectError {
  return new ConnectError('too many requests are waiting for locks', Code.ResourceExhausted);
}
