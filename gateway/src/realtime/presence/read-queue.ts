import { detach } from '@parley/kit/runtime/request-context';

/** A queue of lists to read again, each at most once in the queue. */
export type ReadQueue<List> = {
  /** Adds a list, even while it is being read. Does nothing if the list is in the queue. */
  add(list: List): void;
  /** Removes a list from the queue. */
  remove(list: List): void;
  /** Refuses further lists, empties the queue, and waits for running reads. */
  stop(): Promise<void>;
};

const MAX_RUNNING = 8;

/**
 * Reads MAX_RUNNING lists at a time and serves applications in turn: an application with thousands of changed lists delays the list of
 * another by only one read. `read` is called outside any request, and must not reject.
 */
export function createReadQueue<List extends { readonly appId: string }>(
  read: (list: List) => Promise<void>,
): ReadQueue<List> {
  /** The lists of each application in the order of turns; no queue is empty. */
  const queues = new Map<string, Set<List>>();
  const running = new Set<Promise<void>>();
  const runDetached = detach();
  let stopped = false;

  /** The application that was served goes to the end of the queue. */
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
