import { availableParallelism } from 'node:os';
import { Code, ConnectError } from '@connectrpc/connect';
import { createHolds, type Contention } from './batch/contention.ts';
import { createCounter } from './batch/counter.ts';
import { ContendedError, runBatch, type Answer, type Entry } from './batch/entry.ts';
import { detach } from './request-context.ts';

export { CONTENDED, ContendedError, type Answer } from './batch/entry.ts';
export {
  contentionDelay,
  createWaitingTurns,
  type Contention,
  type WaitingTurns,
} from './batch/contention.ts';

export type BatcherOptions<I, O> = {
  /**
   * Answers each item, in order; an `Error` among the answers rejects only its item, a throw rejects all of them. With
   * `contention` an answer may be CONTENDED; then it is the answer of all later items of the same key in the batch too.
   */
  run(items: I[]): Promise<Answer<O>[]>;
  maxItems: number;
  /** A batch holds at most this much, or a single larger item. Needs `sizeOf`. */
  maxBytes?: number | undefined;
  sizeOf?: ((item: I) => number) | undefined;
  /** Each lane has at most one batch in flight. Default 1. */
  lanes?: number | undefined;
  /** A whole number, taken modulo `lanes`; items of one lane run in the order of their arrival. */
  laneOf?: ((item: I) => number) | undefined;
  /**
   * Items that may wait, in all lanes together; further ones are refused with ResourceExhausted. With `contention` a group
   * (tenant) that has almost nothing waiting is admitted even then.
   */
  maxQueued: number;
  /** Items of one key belong in one lane. */
  contention?: Contention<I, O> | undefined;
};

export type Batcher<I, O> = {
  add(item: I): Promise<O>;
  /** Refuses further items with Unavailable and waits for the answers of those that it has accepted. */
  stop(): Promise<void>;
};

type Lane<I, O> = { queue: Entry<I, O>[]; busy: boolean };

/** Of the items that may wait, the contended ones of one group (tenant) take at most a quarter. */
const HELD_SHARE = 4;
/** A group whose waiting items are fewer than a thousandth of those that may wait has room in a full queue. */
const GUARANTEED_SHARE = 1_000;

/**
 * Number of lanes that suits this machine: one for every two processors. Fewer lanes make larger batches; more lanes than
 * the machine can work on only make batches smaller.
 */
export const LANES_OF_MACHINE = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Group commit: an item is sent at the end of the turn of the event loop when nothing is in flight in its lane; items that
 * arrive meanwhile form the next batch. So an idle system has the latency of one call, and in a loaded one the items of a
 * batch share the cost of a call. `run` is called outside of any request: it must not inherit the deadline of one of its items.
 */
export function createBatcher<I, O>(options: BatcherOptions<I, O>): Batcher<I, O> {
  const { run, maxItems, maxBytes = Infinity, sizeOf, lanes = 1, laneOf, maxQueued, contention } = options;
  const all = Array.from({ length: lanes }, (): Lane<I, O> => ({ queue: [], busy: false }));
  const runDetached = detach();
  const waiting: (() => void)[] = [];
  const queuedOfGroup = createCounter();
  let queued = 0;
  let running = 0;
  let stopped = false;
  const holds =
    contention &&
    createHolds<I, O>({
      contention,
      offer,
      runDetached,
      onIdle: noteIdle,
      limit: { items: maxItems, bytes: maxBytes },
      maxHeldOfGroup: Math.ceil(maxQueued / HELD_SHARE),
    });

  function laneFor(item: I): Lane<I, O> | undefined {
    return all[laneOf ? Math.abs(laneOf(item)) % lanes : 0];
  }

  function add(item: I): Promise<O> {
    if (stopped) return Promise.reject(new ConnectError('stopping', Code.Unavailable));
    const lane = laneFor(item);
    if (!lane) return Promise.reject(new ConnectError('laneOf must return an integer', Code.Internal));
    if (lane.busy && isFull(item)) {
      return Promise.reject(new ConnectError('too many requests are waiting', Code.ResourceExhausted));
    }
    return new Promise<O>((resolve, reject) => {
      lane.queue.push({ item, size: sizeOf ? sizeOf(item) : 0, resolve, reject });
      count(item, 1);
      if (!lane.busy) begin(lane);
    });
  }

  function count(item: I, change: 1 | -1): void {
    queued += change;
    if (contention) queuedOfGroup.add(contention.groupOf(item), change);
  }

  function isFull(item: I): boolean {
    if (queued + (holds?.size ?? 0) < maxQueued) return false;
    if (!contention || !holds) return true;
    const group = contention.groupOf(item);
    return queuedOfGroup.of(group) + holds.sizeOfGroup(group) >= maxQueued / GUARANTEED_SHARE;
  }

  function offer(entries: Entry<I, O>[]): void {
    const lane = entries[0] && laneFor(entries[0].item);
    if (!lane) return;
    lane.queue = [...entries, ...lane.queue];
    for (const { item } of entries) count(item, 1);
    if (!lane.busy) begin(lane);
  }

  // Waits for the end of the turn of the event loop, so that items parsed in the same turn share a batch.
  function begin(lane: Lane<I, O>): void {
    lane.busy = true;
    running += 1;
    setImmediate(() => void drain(lane));
  }

  async function drain(lane: Lane<I, O>): Promise<void> {
    while (lane.queue.length > 0) {
      const batch = take(lane.queue);
      if (batch.length === 0) continue;
      const contended = await runDetached(() => runBatch(batch, run));
      if (holds) holds.answered(batch, contended);
      else for (const entry of contended) entry.reject(new ContendedError());
    }
    lane.busy = false;
    running -= 1;
    noteIdle();
  }

  function take(queue: Entry<I, O>[]): Entry<I, O>[] {
    const batch: Entry<I, O>[] = [];
    let bytes = 0;
    let passed = 0;
    for (const entry of queue) {
      if (!holds?.catches(entry)) {
        bytes += entry.size;
        if (batch.length > 0 && (batch.length === maxItems || bytes > maxBytes)) break;
        batch.push(entry);
      }
      count(entry.item, -1);
      passed += 1;
    }
    queue.splice(0, passed);
    return batch;
  }

  function noteIdle(): void {
    if (running === 0 && (holds?.isIdle ?? true)) for (const done of waiting.splice(0)) done();
  }

  function stop(): Promise<void> {
    stopped = true;
    return running === 0 && (holds?.isIdle ?? true)
      ? Promise.resolve()
      : new Promise((resolve) => waiting.push(resolve));
  }

  return { add, stop };
}
