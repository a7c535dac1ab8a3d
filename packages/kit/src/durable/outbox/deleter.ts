import { v7 as uuidv7 } from 'uuid';
import { highestOf, type Published } from '../lost-events/marks.ts';
import type { OutboxOptions } from './index.ts';
import { detach } from '../../runtime/request-context.ts';
import { deleteRows } from './table.ts';

export type Deleter = {
  add(published: Published): void;
  flush(): Promise<void>;
  /** Stops the deleter, after the last flush. */
  stop(): void;
};

/** Rows whose messages were acknowledged in succession, without a pause in which the stream may have lost some. */
type Series = { id: string; published: Published[] };

const GATHER_MS = 20;
const MOST = 1000;
/** Shorter than a stream takes to elect another leader after a failure. Milliseconds. */
const PAUSE_MS = 1000;
const runDetached = detach();

/**
 * Deletes published rows in batches: one statement for all rows acknowledged meanwhile, never two statements at once. The statement records
 * the highest sequence of their series, which reveals a loss in the stream. Rows that cannot be deleted are dropped from memory; the
 * sweeper publishes them once more.
 */
export function createDeleter({ db, bus, clock, log, isLogged, faults }: OutboxOptions): Deleter {
  const waiting: Series[] = [];
  let current = uuidv7();
  let addedAt = clock.elapsed();
  let count = 0;
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  const reconnects = bus.onReconnect(() => (current = uuidv7()));

  function seriesNow(): Series {
    const now = clock.elapsed();
    if (now - addedAt > PAUSE_MS) current = uuidv7();
    addedAt = now;
    const last = waiting.at(-1);
    if (last?.id === current && last.published.length < MOST) return last;
    const begun = { id: current, published: [] };
    waiting.push(begun);
    return begun;
  }

  async function remove({ id, published }: Series): Promise<void> {
    const highest = highestOf(published);
    if (!highest) return;
    await faults?.beforeDelete?.();
    const ids = published.map(({ messageId }) => messageId);
    const unlogged = published.filter(({ subject }) => !isLogged(subject));
    const kept = unlogged.map(({ messageId }) => messageId);
    await runDetached(() => deleteRows(db, { ids, kept, mark: { id, ...highest } }));
  }

  async function drain(): Promise<void> {
    for (let series = waiting.shift(); series; series = waiting.shift()) {
      count -= series.published.length;
      await remove(series).catch((error: unknown) =>
        log.warn({ error }, 'failed to delete published events; they will be published again'),
      );
    }
  }

  function start(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    return (running ??= drain().finally(() => (running = undefined)));
  }

  return {
    add(published) {
      seriesNow().published.push(published);
      count += 1;
      if (count >= MOST) void start();
      else cancelTimer ??= clock.setTimer(GATHER_MS, () => void start());
    },
    flush: start,
    stop: () => reconnects.close(),
  };
}
