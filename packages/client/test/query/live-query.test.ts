import { batched } from '../../src/connection/environment.ts';
import { createPublisher, createQuery } from '../../src/query/live-query.ts';

type Page = { requestAnimationFrame?: (callback: () => void) => unknown; document?: object };
const page = globalThis as Page;

const { setTimeout: own } = globalThis;
let timers: (() => void)[] = [];

function runTimers(): void {
  for (const callback of timers.splice(0)) callback();
}

beforeEach(() => {
  timers = [];
  globalThis.setTimeout = ((callback: () => void) => timers.push(callback)) as unknown as typeof setTimeout;
});
afterEach(() => {
  globalThis.setTimeout = own;
  delete page.requestAnimationFrame;
  delete page.document;
});

/** A query of a number, and how often it called back. */
function counted() {
  const publisher = createPublisher();
  const calls: number[] = [];
  const state = { value: 0, calls, change: batched(() => publisher.publish()) };
  const query = createQuery(publisher, { compute: () => state.value, isSame: Object.is });
  query.subscribe(() => calls.push(query.getSnapshot()));
  return state;
}

test('many changes within a frame call back once, with the last state', () => {
  const state = counted();
  for (const value of [1, 2, 3]) {
    state.value = value;
    state.change();
  }
  expect(state.calls).toEqual([]);
  runTimers();
  expect(state.calls).toEqual([3]);
  state.value = 4;
  state.change();
  runTimers();
  expect(state.calls).toEqual([3, 4]);
  state.change();
  runTimers();
  expect(state.calls).toEqual([3, 4]);
});

test('a visible page calls back with its frame, and a hidden one, which shows none, after as long', () => {
  let frame: (() => void) | undefined;
  page.requestAnimationFrame = (callback) => (frame = callback);
  page.document = { visibilityState: 'visible' };
  const state = counted();
  state.value = 1;
  state.change();
  frame?.();
  expect(state.calls).toEqual([1]);
  runTimers();
  expect(state.calls).toEqual([1]);
  page.document = { visibilityState: 'hidden' };
  frame = undefined;
  state.value = 2;
  state.change();
  expect(frame).toBeUndefined();
  runTimers();
  expect(state.calls).toEqual([1, 2]);
});
