import { startTimeout } from '../../runtime/clock/index.ts';
import { detach } from '../../runtime/request-context.ts';
import {
  rejectLate,
  release,
  setApart,
  setEntries,
  takeBack,
  type ContendedKey,
  type ContendedKeys,
} from './contended-keys.ts';
import { contentionDelay } from './contention.ts';
import { fitting, runBatch, type BatchLimit, type Entry } from './entry.ts';

/** Retries contended keys. */
export type Retry<I, O> = {
  readonly keys: ContendedKeys<I, O>;
  readonly limit: BatchLimit;
  /** Puts entries, all of one lane, in front of that lane's queue. */
  offer(entries: Entry<I, O>[]): void;
  /** Called when no key is set apart any more. */
  onIdle(): void;
};

const runDetached = detach();

/** Processes a batch's answers, and sets contended entries apart. */
export function noteAnswers<I, O>(
  retry: Retry<I, O>,
  batch: readonly Entry<I, O>[],
  contended: readonly Entry<I, O>[],
): void {
  const { byName, contention } = retry.keys;
  if (contended.length === 0 && byName.size === 0) return;
  const again = Map.groupBy(contended, ({ item }) => contention.keyOf(item));
  for (const { item } of batch) {
    const name = contention.keyOf(item);
    if (!again.has(name)) byName.delete(name);
  }
  const due = [...again].flatMap(([name, [first, ...rest]]) =>
    first ? proceed(retry, setApart(retry.keys, name, [first, ...rest])) : [],
  );
  offerAll(retry, due);
}

/** Schedules the next attempt of a key that is set apart; returns the entries to try at once. */
function proceed<I, O>(retry: Retry<I, O>, key: ContendedKey<I, O>): Entry<I, O>[] {
  const { keys } = retry;
  key.tries += 1;
  rejectLate(keys, key);
  if (key.entries.length === 0) return release(keys, key);
  if (key.tries === 1) return takeBack(keys, key);
  if (key.tries % 2 === 0 && keys.contention.turns.take(key.group)) void wait(retry, key);
  else startTimeout(contentionDelay(key.tries), () => offerAll(retry, tryAgain(retry, key)));
  return [];
}

async function wait<I, O>(retry: Retry<I, O>, key: ContendedKey<I, O>): Promise<void> {
  const { keys, limit } = retry;
  const { turns, wait: run } = keys.contention;
  const batch = key.entries.slice(0, fitting(key.entries, limit));
  setEntries(keys, key, key.entries.slice(batch.length));
  const contended = await runDetached(() => runBatch(batch, run));
  turns.giveBack(key.group);
  setEntries(keys, key, [...contended, ...key.entries]);
  offerAll(retry, contended.length > 0 ? proceed(retry, key) : release(keys, key));
}

function tryAgain<I, O>({ keys }: Retry<I, O>, key: ContendedKey<I, O>): Entry<I, O>[] {
  rejectLate(keys, key);
  return key.entries.length === 0 ? release(keys, key) : takeBack(keys, key);
}

function offerAll<I, O>(retry: Retry<I, O>, entries: Entry<I, O>[]): void {
  if (entries.length > 0) retry.offer(entries);
  if (retry.keys.setApart === 0) retry.onIdle();
}
