import { startInterval } from '@parley/kit/runtime/clock';
import type { OperatorCall } from './call.ts';
import type { Outcome } from './outcome.ts';

/** Gathers notes that are alike, so that however many there are, few are written. */
export type Gathered = {
  /** Writes the first of its kind at once, and counts those that follow until the end of the span. */
  note(call: OperatorCall, outcome: Outcome): Promise<void>;
  /** Writes the counts. */
  stop(): Promise<void>;
};

type Options = {
  everyMs: number;
  /** Answers whether it was written. Never fails. */
  write: (call: OperatorCall, outcome: Outcome, count: number) => Promise<boolean>;
  maxKinds?: number;
};

type Kind = { call: OperatorCall; outcome: Outcome; further: number };

/** Kinds of one span; a caller who makes up more of them is noted as one of many. */
const MAX_KINDS = 1_000;
const OF_MANY = { appId: undefined, objectId: undefined, subject: '', method: 'many methods' } as const;

export function createGathered({ everyMs, write, maxKinds = MAX_KINDS }: Options): Gathered {
  let kinds = new Map<string, Kind>();
  let writing = Promise.resolve();
  let cancel: (() => void) | undefined;
  let isStopped = false;

  async function writeCounts(): Promise<void> {
    const ended = [...kinds.values()];
    kinds = new Map();
    cancel?.();
    cancel = undefined;
    for (const [at, { call, outcome, further }] of ended.entries()) {
      if (further === 0 || (await write(call, outcome, further))) continue;
      // While the log cannot be written the other counts would wait for nothing, and hold up a gateway that stops.
      if (!isStopped) for (const kind of ended.slice(at)) keep(kind);
      return;
    }
  }
  /** Adds what could not be written to the counts of the next span. */
  function keep(kind: Kind): void {
    const key = keyOf(kind.call, kind.outcome);
    const present = kinds.get(key);
    if (present) present.further += kind.further;
    else if (kinds.size < maxKinds) kinds.set(key, kind);
    cancel ??= startInterval(everyMs, () => void flush());
  }
  function flush(): Promise<void> {
    writing = writing.then(writeCounts);
    return writing;
  }
  return {
    async note(given, outcome) {
      const isNew = !kinds.has(keyOf(given, outcome));
      const call = isNew && kinds.size >= maxKinds ? { ...given, person: undefined, ...OF_MANY } : given;
      const key = keyOf(call, outcome);
      const kind = kinds.get(key);
      if (kind) {
        kind.further += 1;
        return;
      }
      const first = { call, outcome, further: 0 };
      kinds.set(key, first);
      cancel ??= startInterval(everyMs, () => void flush());
      if (!(await write(call, outcome, 1))) first.further += 1;
    },
    async stop() {
      isStopped = true;
      cancel?.();
      await flush();
    },
  };
}

function keyOf({ person, actor, method, appId }: OperatorCall, { code }: Outcome): string {
  return JSON.stringify([person?.issuer, person?.subject, actor, method, appId, code]);
}
