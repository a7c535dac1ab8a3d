import { availableParallelism } from 'node:os';
import { Code, ConnectError } from '@connectrpc/connect';
import { detach } from './request-context.ts';

export type BatcherOptions<I, O> = {
  /** Answers each item, in order; an `Error` among the answers rejects only its item, a throw rejects all of them. */
  run(items: I[]): Promise<(O | Error)[]>;
  maxItems: number;
  /** A batch holds at most this much, or a single larger item. Needs `sizeOf`. */
  maxBytes?: number | undefined;
  sizeOf?: ((item: I) => number) | undefined;
  /** Each lane has at most one batch in flight. Default 1. */
  lanes?: number | undefined;
  /** A whole number, taken modulo `lanes`; items of one lane are run in the order they came. */
  laneOf?: ((item: I) => number) | undefined;
  /** Items that may wait, in all lanes together; further ones are refused with ResourceExhausted. */
  maxQueued: number;
};

export type Batcher<I, O> = {
  add(item: I): Promise<O>;
  /** Refuses further items with Unavailable and waits for those it has. */
  stop(): Promise<void>;
};

type Entry<I, O> = { item: I; size: number; resolve(value: O): void; reject(error: unknown): void };
type Lane<I, O> = { queue: Entry<I, O>[]; busy: boolean };

/**
 * How many batches a process keeps under way at once: one for every two processors. Fewer lanes make larger batches, and
 * more than the machine can work on only divide them.
 */
export const lanesOfMachine = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Group commit: an item is sent at the end of the turn of the event loop when nothing is in flight in its lane; what
 * arrives meanwhile is gathered into the next batch. So an idle system has the latency of one call, and a loaded one divides the cost of a call by the
 * batch. `run` is called outside of any request: it must not inherit the deadline of one of its items.
 */
export function createBatcher<I, O>(options: BatcherOptions<I, O>): Batcher<I, O> {
  const { run, maxItems, maxBytes = Infinity, sizeOf, lanes = 1, laneOf, maxQueued } = options;
  const all = Array.from({ length: lanes }, (): Lane<I, O> => ({ queue: [], busy: false }));
  const outside = detach();
  const waiting: (() => void)[] = [];
  let queued = 0;
  let running = 0;
  let stopped = false;

  function add(item: I): Promise<O> {
    if (stopped) return Promise.reject(new ConnectError('stopping', Code.Unavailable));
    const lane = all[laneOf ? Math.abs(laneOf(item)) % lanes : 0];
    if (!lane) return Promise.reject(new ConnectError('laneOf gave no whole number', Code.Internal));
    if (lane.busy && queued >= maxQueued) {
      return Promise.reject(new ConnectError('too many requests are waiting', Code.ResourceExhausted));
    }
    return new Promise<O>((resolve, reject) => {
      lane.queue.push({ item, size: sizeOf ? sizeOf(item) : 0, resolve, reject });
      queued += 1;
      if (!lane.busy) begin(lane);
    });
  }

  // Not before the turn of the event loop ends: what came in the same packets goes along instead of waiting for the first.
  function begin(lane: Lane<I, O>): void {
    lane.busy = true;
    running += 1;
    setImmediate(() => void drain(lane));
  }

  async function drain(lane: Lane<I, O>): Promise<void> {
    while (lane.queue.length > 0) {
      const batch = take(lane.queue);
      queued -= batch.length;
      await settle(batch);
    }
    lane.busy = false;
    running -= 1;
    if (running === 0) for (const done of waiting.splice(0)) done();
  }

  function take(queue: Entry<I, O>[]): Entry<I, O>[] {
    let count = 1;
    let bytes = queue[0]?.size ?? 0;
    for (; count < queue.length && count < maxItems; count += 1) {
      bytes += queue[count]?.size ?? 0;
      if (bytes > maxBytes) break;
    }
    return queue.splice(0, count);
  }

  async function settle(batch: Entry<I, O>[]): Promise<void> {
    try {
      const results = await outside(() => run(batch.map((entry) => entry.item)));
      if (results.length !== batch.length) {
        throw new ConnectError(`${results.length} results for ${batch.length} items`, Code.Internal);
      }
      batch.forEach((entry, index) => settleEntry(entry, results[index] as O | Error));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  function stop(): Promise<void> {
    stopped = true;
    return running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
  }

  return { add, stop };
}

function settleEntry<I, O>(entry: Entry<I, O>, result: O | Error): void {
  if (result instanceof Error) entry.reject(result);
  else entry.resolve(result);
}
