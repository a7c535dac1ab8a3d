import { startInterval } from '@parley/kit/clock';
import type { OperatorCall } from './log.ts';
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

  async function writeCounts(): Promise<void> {
    const ended = [...kinds.values()];
    kinds = new Map();
    cancel?.();
    cancel = undefined;
    for (const { call, outcome, further } of ended)
      // While the log cannot be written the other counts would wait for nothing, and hold up a gateway that stops.
      if (further > 0 && !(await write(call, outcome, further))) return;
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
      kinds.set(key, { call, outcome, further: 0 });
      cancel ??= startInterval(everyMs, () => void flush());
      await write(call, outcome, 1);
    },
    async stop() {
      cancel?.();
      await flush();
    },
  };
}

function keyOf({ person, actor, method, appId }: OperatorCall, { code }: Outcome): string {
  return JSON.stringify([person?.issuer, person?.subject, actor, method, appId, code]);
}
