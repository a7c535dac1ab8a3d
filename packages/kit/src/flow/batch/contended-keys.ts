import { Code, ConnectError } from '@connectrpc/connect';
import type { Contention } from './contention.ts';
import { createCounter, type Counter } from './counter.ts';
import { ContendedError, type Entry } from './entry.ts';

/** A key whose last answer was CONTENDED. Its entries are set apart, in order, except while they are retried with a batch. */
export type ContendedKey<I, O> = {
  readonly name: string;
  readonly group: string;
  entries: Entry<I, O>[];
  tries: number;
  isSetApart: boolean;
};

export type ContendedKeys<I, O> = {
  readonly contention: Contention<I, O>;
  /** Most entries of one group that may be set apart; further ones are refused with ResourceExhausted. */
  readonly maxOfGroup: number;
  readonly byName: Map<string, ContendedKey<I, O>>;
  /** Numbers of entries set apart, by group. */
  readonly entries: Counter;
  /** Number of keys set apart. */
  setApart: number;
};

export function createContendedKeys<I, O>(
  contention: Contention<I, O>,
  maxOfGroup: number,
): ContendedKeys<I, O> {
  return { contention, maxOfGroup, byName: new Map(), entries: createCounter(), setApart: 0 };
}

/** True when the entry's key is set apart; the entry then waits behind the key's earlier ones, or is rejected. */
export function catchEntry<I, O>(keys: ContendedKeys<I, O>, entry: Entry<I, O>): boolean {
  if (keys.byName.size === 0) return false;
  const { contention } = keys;
  const key = keys.byName.get(contention.keyOf(entry.item));
  if (!key?.isSetApart) return false;
  if (contention.giveUpAt(entry.item) <= performance.now()) entry.reject(new ContendedError());
  else if (keys.entries.of(key.group) >= keys.maxOfGroup) entry.reject(tooMany());
  else {
    key.entries.push(entry);
    keys.entries.add(key.group, 1);
  }
  return true;
}

/** Sets a key apart, with `entries` before those it already has. */
export function setApart<I, O>(
  keys: ContendedKeys<I, O>,
  name: string,
  entries: [Entry<I, O>, ...Entry<I, O>[]],
): ContendedKey<I, O> {
  const known = keys.byName.get(name);
  const group = known?.group ?? keys.contention.groupOf(entries[0].item);
  const key = known ?? { name, group, entries: [], tries: 0, isSetApart: false };
  keys.byName.set(name, key);
  if (!key.isSetApart) keys.setApart += 1;
  key.isSetApart = true;
  setEntries(keys, key, [...entries, ...key.entries]);
  return key;
}

export function setEntries<I, O>(
  keys: ContendedKeys<I, O>,
  key: ContendedKey<I, O>,
  entries: Entry<I, O>[],
): void {
  keys.entries.add(key.group, entries.length - key.entries.length);
  key.entries = entries;
}

/** Rejects a key's entries that can wait no longer. */
export function rejectLate<I, O>(keys: ContendedKeys<I, O>, key: ContendedKey<I, O>): void {
  const now = performance.now();
  const isLate = ({ item }: Entry<I, O>): boolean => keys.contention.giveUpAt(item) <= now;
  const late = key.entries.filter(isLate);
  if (late.length === 0) return;
  setEntries(
    keys,
    key,
    key.entries.filter((entry) => !isLate(entry)),
  );
  for (const entry of late) entry.reject(new ContendedError());
}

/** Stops setting a key apart for one more attempt; returns its entries. */
export function takeBack<I, O>(keys: ContendedKeys<I, O>, key: ContendedKey<I, O>): Entry<I, O>[] {
  const { entries } = key;
  setEntries(keys, key, []);
  key.isSetApart = false;
  keys.setApart -= 1;
  return entries;
}

/** Like `takeBack`, but the key counts as free until a later batch finds it contended again. */
export function release<I, O>(keys: ContendedKeys<I, O>, key: ContendedKey<I, O>): Entry<I, O>[] {
  keys.byName.delete(key.name);
  return takeBack(keys, key);
}

function tooMany(): ConnectError {
  return new ConnectError('too many requests are waiting for locks', Code.ResourceExhausted);
}
