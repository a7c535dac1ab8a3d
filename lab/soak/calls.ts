import { setTimeout as pause } from 'node:timers/promises';
import { SHARES, WORK, type Kind } from './work.ts';
import type { World } from './world.ts';

/** Calls since the last look. Times in milliseconds, measured from when each call was due, in no order. */
export type Done = {
  /** Messages that were acknowledged. */
  messages: number;
  calls: number;
  sends: number[];
  deliveries: number[];
  /** Notifications of webhooks. */
  notified: number;
};

/** Calls at constant rates, one rate for each kind. */
export type Calls = {
  /** The first failures, and how many there were. */
  readonly failures: { first: readonly string[]; count: number };
  take(): Done;
  /** Resolves when the calls under way are answered. */
  stop(): Promise<void>;
};

const TICK_MS = 10;
const ANSWERED_WITHIN_MS = 20_000;
/** Calls that are due while so many are under way fail at once. */
const MOST_UNDER_WAY = 2_000;
const MOST_NOTED = 20;
const KINDS = Object.keys(WORK) as Kind[];

type State = {
  world: World;
  failures: { first: string[]; count: number };
  done: Done;
  underWay: Set<Promise<void>>;
  notifiedBefore: number;
};

/** `rate`: messages a second. */
export function startCalls(world: World, rate: number): Calls {
  const state: State = {
    world,
    failures: { first: [], count: 0 },
    done: nothing(),
    underWay: new Set(),
    notifiedBefore: 0,
  };
  const stopping = new AbortController();
  const running = callAtRates(state, rate, stopping.signal);
  return {
    failures: state.failures,
    take: () => take(state),
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(state.underWay);
    },
  };
}

function nothing(): Done {
  return { messages: 0, calls: 0, sends: [], deliveries: [], notified: 0 };
}

function take(state: State): Done {
  const { done, world } = state;
  const notified = world.notified() - state.notifiedBefore;
  state.notifiedBefore += notified;
  state.done = nothing();
  return { ...done, deliveries: world.takeDeliveries(), notified };
}

async function callAtRates(state: State, rate: number, stopped: AbortSignal): Promise<void> {
  const began = performance.now();
  const made = new Map(KINDS.map((kind) => [kind, 0]));
  while (!stopped.aborted) {
    for (const kind of KINDS) {
      const perMs = (SHARES[kind] / 1_000) * (rate / 1_000);
      const due = Math.floor((performance.now() - began) * perMs);
      for (let turn = made.get(kind)!; turn < due; turn++) {
        const call = makeCall(state, kind, { turn, dueAt: began + turn / perMs });
        state.underWay.add(call);
        void call.finally(() => state.underWay.delete(call));
      }
      made.set(kind, due);
    }
    await pause(TICK_MS);
  }
}

async function makeCall(
  state: State,
  kind: Kind,
  { turn, dueAt }: { turn: number; dueAt: number },
): Promise<void> {
  try {
    if (state.underWay.size >= MOST_UNDER_WAY) throw new Error('too many calls are under way');
    await within(WORK[kind](state.world, turn));
    state.done.calls += 1;
    if (kind === 'sendByRest' || kind === 'sendBySocket') state.done.messages += 1;
    if (kind === 'sendByRest') state.done.sends.push(performance.now() - dueAt);
  } catch (error) {
    state.failures.count += 1;
    const line = `${new Date().toISOString()} ${kind}: ${error instanceof Error ? error.message : String(error)}`;
    if (state.failures.first.length < MOST_NOTED) state.failures.first.push(line);
  }
}

/** A socket that breaks leaves its requests without an answer. */
async function within(call: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${ANSWERED_WITHIN_MS} ms`)),
      ANSWERED_WITHIN_MS,
    );
  });
  try {
    await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
