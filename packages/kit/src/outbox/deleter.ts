import type { OutboxOptions } from '../outbox.ts';
import { detach } from '../request-context.ts';
import { deleteRows } from './table.ts';

export type Deleter = { add(id: string): void; flush(): Promise<void> };

const GATHER_MS = 20;
const MOST = 1000;

const runDetached = detach();

/**
 * Deletes published rows many at a time: one statement for all rows acknowledged meanwhile, never two statements at once.
 * Rows that cannot be deleted are dropped from memory; the sweeper publishes them once more.
 */
export function createDeleter({ db, clock, log, faults }: OutboxOptions): Deleter {
  const waiting: string[] = [];
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;

  async function remove(ids: string[]): Promise<void> {
    await faults?.beforeDelete?.();
    await runDetached(() => deleteRows(db, ids));
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const ids = waiting.splice(0, MOST);
      await remove(ids).catch((error: unknown) =>
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
    add(id) {
      waiting.push(id);
      if (waiting.length >= MOST) void start();
      else cancelTimer ??= clock.setTimer(GATHER_MS, () => void start());
    },
    flush: start,
  };
}
