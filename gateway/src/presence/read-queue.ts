import { detach } from '@parley/kit/request-context';

/** Lists that are to be read again, each at most once in the queue. */
export type ReadQueue<List> = {
  /** Has a list read; once more when it is being read now. Does nothing for one that waits. */
  add(list: List): void;
  /** Takes a list that waits out of the queue. */
  remove(list: List): void;
  /** Takes no more, forgets those that wait, and waits for those that are being read. */
  stop(): Promise<void>;
};

const MAX_RUNNING = 8;

/**
 * Reads so many lists at once, and serves applications in turn: one whose thousands of lists change delays the list of
 * another by one reading. `read` is called outside of any request, and does not reject.
 */
export function createReadQueue<List extends { readonly appId: string }>(
  read: (list: List) => Promise<void>,
): ReadQueue<List> {
  /** Of each application, in the order of their turns; none is empty. */
  const queues = new Map<string, Set<List>>();
  const running = new Set<Promise<void>>();
  const runDetached = detach();
  let stopped = false;

  /** The application that was served goes behind the others. */
  function next(): List | undefined {
    for (const [appId, queue] of queues) {
      queues.delete(appId);
      const [list] = queue;
      if (!list) continue;
      queue.delete(list);
      if (queue.size > 0) queues.set(appId, queue);
      return list;
    }
    return undefined;
  }

  function work(): void {
    while (running.size < MAX_RUNNING) {
      const list = next();
      if (!list) return;
      const reading = runDetached(() => read(list)).finally(() => {
        running.delete(reading);
        work();
      });
      running.add(reading);
    }
  }

  return {
    add(list) {
      if (stopped) return;
      const queue = queues.get(list.appId) ?? new Set();
      queues.set(list.appId, queue.add(list));
      work();
    },
    remove(list) {
      const queue = queues.get(list.appId);
      if (queue?.delete(list) && queue.size === 0) queues.delete(list.appId);
    },
    async stop() {
      stopped = true;
      queues.clear();
      await Promise.all(running);
    },
  };
}
