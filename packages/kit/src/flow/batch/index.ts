import { availableParallelism } from 'node:os';
import { Code, ConnectError } from '@connectrpc/connect';
import { createContendedKeys } from './contended-keys.ts';
import type { Contention } from './contention.ts';
import { ContendedError, runBatch, settle, type Answer, type Entry } from './entry.ts';
import type { BatchObserver } from './observer.ts';
import {
  append,
  createQueue,
  dueHalves,
  findPlace,
  isInFlight,
  prepend,
  takeBatch,
  type Half,
  type Lane,
  type Queue,
} from './queue.ts';
import { noteAnswers, type Retry } from './retry.ts';
import { endItemSpan, failItemSpan, inBatchSpan, startItemSpan, type ItemSpan } from './trace.ts';
import { detach } from '../../runtime/request-context.ts';
import { isTracing } from '../../runtime/telemetry/tracing.ts';

export { CONTENDED, ContendedError, type Answer } from './entry.ts';
export { observeBatches, type BatchObserver } from './observer.ts';
export { refusedWith, type BatchOutcome } from './outcome.ts';
export { contentionDelay, createWaitingTurns, type Contention, type WaitingTurns } from './contention.ts';

export type BatcherOptions<I, O> = {
  /**
   * Answers each item, in order; an `Error` among the answers rejects only its item, a throw rejects all of them. With
   * `contention` an answer may be CONTENDED; then it is the answer of all later items of the same key in the batch too.
   */
  run(items: I[]): Promise<Answer<O>[]>;
  /**
   * Runs a batch by a faster path if possible. Returns false if it did not, and then never calls back; otherwise `settle` is called once,
   * with the answers of all items, or with undefined if nothing was done. In the last case, as after false, `run` gets the batch. Not used
   * with tracing.
   */
  runDirectly?: RunDirectly<I, O> | undefined;
  maxItems: number;
  /** Largest batch, unless a single item is larger. Needs `sizeOf`. Bytes. */
  maxBytes?: number | undefined;
  sizeOf?: ((item: I) => number) | undefined;
  /** Each lane has at most one batch in flight, or two with `splitFrom`. Default 1. */
  lanes?: number | undefined;
  /** Returns an integer, taken modulo `lanes`; items with the same number run in order of arrival. */
  laneOf?: ((item: I) => number) | undefined;
  /**
   * A lane has two halves, chosen by `laneOf`. From this many waiting items on, a half forms its own batch while the other is in flight.
   * Default: lanes are not split.
   */
  splitFrom?: number | undefined;
  /**
   * Most waiting items in all lanes together; further ones are refused with ResourceExhausted. With `contention`, a group (tenant) that has
   * almost nothing waiting is admitted even then.
   */
  maxQueued: number;
  /** Items of one key must be in one lane. */
  contention?: Contention<I, O> | undefined;
  /** Measures all batches except those waiting for a contended key. Default: nothing is measured. */
  observer?: BatchObserver<O> | undefined;
};

export type RunDirectly<I, O> = (
  items: I[],
  settle: (answers: readonly Answer<O>[] | undefined) => void,
) => boolean;

export type Batcher<I, O> = {
  add(item: I): Promise<O>;
  /** Refuses further items with Unavailable, and waits for the answers of accepted ones. */
  stop(): Promise<void>;
};

type State<I, O> = Pick<BatcherOptions<I, O>, 'run' | 'runDirectly' | 'sizeOf' | 'maxQueued' | 'observer'> & {
  readonly queue: Queue<I, O>;
  readonly retry: Retry<I, O> | undefined;
  /** Batches in flight or about to begin. */
  busy: number;
  stopped: boolean;
  /** Waiting calls of stop(). */
  readonly stopping: (() => void)[];
};

/** One group's (tenant's) contended items take at most a quarter of the waiting places. */
const HELD_SHARE = 4;
/** A group with fewer than a thousandth of the waiting places in use is admitted even to a full queue. */
const GUARANTEED_SHARE = 1_000;

const runDetached = detach();

/**
 * Number of lanes that suits this machine: one for every two processors. Fewer lanes make larger batches; more lanes than the machine can
 * serve only make batches smaller.
 */
export const LANES_OF_MACHINE = Math.max(1, Math.floor(availableParallelism() / 2));

/** Number of waiting items from which two concurrent batches are worth their fixed costs, measured for messages. */
export const SPLIT_FROM_ITEMS = 8;

/**
 * Group commit: an item is sent at the end of the event loop's turn when nothing is in flight in its lane; items that arrive meanwhile form
 * the next batch. So an idle system has the latency of one call, and under load the items of a batch share the cost of a call. `run` is
 * called outside any request: it must not inherit the deadline of one of its items.
 */
export function createBatcher<I, O>(options: BatcherOptions<I, O>): Batcher<I, O> {
  const { run, runDirectly, sizeOf, maxQueued, maxItems, maxBytes = Infinity, lanes = 1, laneOf } = options;
  const { contention, observer, splitFrom = Infinity } = options;
  const limit = { items: maxItems, bytes: maxBytes };
  const state: State<I, O> = {
    run,
    runDirectly,
    sizeOf,
    maxQueued,
    observer,
    queue: createQueue({ lanes, limit, laneOf, splitFrom, groupOf: contention?.groupOf }),
    retry: contention && {
      keys: createContendedKeys(contention, Math.ceil(maxQueued / HELD_SHARE)),
      limit,
      offer: (entries) => offer(state, entries),
      onIdle: () => noteIdle(state),
    },
    busy: 0,
    stopped: false,
    stopping: [],
  };
  return { add: (item) => add(state, item), stop: () => stop(state) };
}

function add<I, O>(state: State<I, O>, item: I): Promise<O> {
  const { queue, sizeOf } = state;
  if (state.stopped) return Promise.reject(new ConnectError('stopping', Code.Unavailable));
  const place = findPlace(queue, item);
  if (!place) return Promise.reject(new ConnectError('laneOf must return an integer', Code.Internal));
  if (isBusy(place.lane) && isFull(state, item)) {
    return Promise.reject(new ConnectError('too many requests are waiting', Code.ResourceExhausted));
  }
  return new Promise<O>((resolve, reject) => {
    const arrivedAt = state.observer ? performance.now() : 0;
    const trace = state.observer && startItemSpan(state.observer.name);
    const entry: Entry<I, O> = { item, size: sizeOf ? sizeOf(item) : 0, arrivedAt, trace, resolve, reject };
    if (trace && state.observer) endSpanWith(entry, trace, state.observer);
    append(queue, place.half, entry);
    beginIfDue(state, place.lane);
  });
}

function isBusy<I, O>(lane: Lane<I, O>): boolean {
  return lane.isDue || isInFlight(lane);
}

function endSpanWith<I, O>(entry: Entry<I, O>, trace: ItemSpan, observer: BatchObserver<O>): void {
  const { resolve, reject } = entry;
  entry.resolve = (value) => {
    endItemSpan(trace, observer.outcomeOf(value));
    resolve(value);
  };
  entry.reject = (error) => {
    failItemSpan(trace, error);
    reject(error);
  };
}

function isFull<I, O>({ queue, retry, maxQueued }: State<I, O>, item: I): boolean {
  if (!retry) return queue.size >= maxQueued;
  const { entries, contention } = retry.keys;
  if (queue.size + entries.total() < maxQueued) return false;
  const group = contention.groupOf(item);
  return queue.ofGroup.of(group) + entries.of(group) >= maxQueued / GUARANTEED_SHARE;
}

function offer<I, O>(state: State<I, O>, entries: Entry<I, O>[]): void {
  const place = entries[0] && findPlace(state.queue, entries[0].item);
  if (!place) return;
  prepend(state.queue, place.half, entries);
  beginIfDue(state, place.lane);
}

// Waits for the end of the event loop's turn, so that items parsed in the same turn share a batch.
function beginIfDue<I, O>(state: State<I, O>, lane: Lane<I, O>): void {
  if (lane.isDue || dueHalves(state.queue, lane).length === 0) return;
  lane.isDue = true;
  state.busy += 1;
  setImmediate(() => {
    lane.isDue = false;
    runDue(state, lane);
    state.busy -= 1;
    noteIdle(state);
  });
}

function runDue<I, O>(state: State<I, O>, lane: Lane<I, O>): void {
  for (const halves of dueHalves(state.queue, lane)) runHalves(state, lane, halves);
}

function runHalves<I, O>(state: State<I, O>, lane: Lane<I, O>, halves: readonly Half<I, O>[]): void {
  state.busy += 1;
  lane.turns += 1;
  for (const half of halves) half.isBusy = true;
  const batch = takeBatch(state.queue, halves, state.retry?.keys);
  const finish = (): void => {
    for (const half of halves) half.isBusy = false;
    runDue(state, lane);
    state.busy -= 1;
    noteIdle(state);
  };
  if (batch.length > 0 && runShort(state, batch, finish)) return;
  void runWhole(state, batch).then(finish);
}

/** Runs a batch by the faster path, without a promise. False: it was not run. */
function runShort<I, O>(state: State<I, O>, batch: readonly Entry<I, O>[], finish: () => void): boolean {
  const { runDirectly, observer, retry } = state;
  if (!runDirectly || isTracing()) return false;
  const began = performance.now();
  const items = batch.map(({ item }) => item);
  let isSettled = false;
  const run = () =>
    runDirectly(items, (answers) => {
      isSettled = true;
      if (answers?.length !== batch.length) return void runWhole(state, batch).then(finish);
      noteBegun(observer, batch, began);
      observer?.ended(performance.now() - began);
      const contended = settle(batch, answers);
      if (retry) noteAnswers(retry, batch, contended);
      else for (const entry of contended) entry.reject(new ContendedError());
      finish();
    });
  try {
    return runDetached(run);
  } catch (error) {
    if (isSettled) throw error;
    // The batch may have been sent, so it is not run again.
    for (const entry of batch) entry.reject(error);
    finish();
    return true;
  }
}

async function runWhole<I, O>(state: State<I, O>, batch: readonly Entry<I, O>[]): Promise<void> {
  const { retry } = state;
  if (batch.length === 0) return;
  const contended = await runObserved(state, batch);
  if (retry) noteAnswers(retry, batch, contended);
  else for (const entry of contended) entry.reject(new ContendedError());
}

function noteBegun<I, O>(
  observer: BatchObserver<O> | undefined,
  batch: readonly Entry<I, O>[],
  began: number,
): void {
  observer?.begun(batch.length, began - Math.min(began, ...batch.map(({ arrivedAt }) => arrivedAt)));
}

async function runObserved<I, O>(
  { run, observer }: State<I, O>,
  batch: readonly Entry<I, O>[],
): Promise<Entry<I, O>[]> {
  if (!observer) return runDetached(() => runBatch(batch, run));
  const began = performance.now();
  noteBegun(observer, batch, began);
  const contended = await runDetached(() => inBatchSpan(observer.name, batch, () => runBatch(batch, run)));
  observer.ended(performance.now() - began);
  return contended;
}

function isIdle<I, O>({ busy, retry }: State<I, O>): boolean {
  return busy === 0 && (retry === undefined || retry.keys.setApart === 0);
}

function noteIdle<I, O>(state: State<I, O>): void {
  if (isIdle(state)) for (const done of state.stopping.splice(0)) done();
}

function stop<I, O>(state: State<I, O>): Promise<void> {
  state.stopped = true;
  return isIdle(state) ? Promise.resolve() : new Promise((resolve) => state.stopping.push(resolve));
}
