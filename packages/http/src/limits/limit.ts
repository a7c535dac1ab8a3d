import type { ConnectError } from '@connectrpc/connect';
import { createBuckets, type Rate } from '@parley/kit/flow/limits/buckets';
import type { Clock } from '@parley/kit/runtime/clock';
import { constantError } from '../errors/error-form.ts';

/** One policy: a bucket for each key. */
export type Limit = {
  /** Problems: rate_limit_exceeded. */
  take(key: string): void;
  /** Fails when `take` would fail, and takes nothing. Problems: rate_limit_exceeded. */
  require(key: string): void;
  /** Takes further tokens for a request that turned out to be heavy. Never fails; later requests are refused instead. */
  charge(key: string, tokens: number): void;
};

type Options = {
  /** Names the limit in refusals. */
  policy: string;
  rate: Rate;
  /** Multiplies the rate; 0: no limit. */
  factor: number;
  clock: Clock;
};

export function createLimit({ policy, rate, factor, clock }: Options): Limit {
  const applied = appliedRate(rate, factor);
  if (!applied) return { take: () => undefined, charge: () => undefined, require: () => undefined };
  const buckets = createBuckets(applied, clock);
  return {
    take(key) {
      const wait = buckets.take(key);
      if (wait > 0) refuse(policy, wait);
    },
    require(key) {
      const wait = buckets.wait(key);
      if (wait > 0) refuse(policy, wait);
    },
    charge: (key, tokens) => buckets.charge(key, tokens),
  };
}

/** A configured rate times the factor; undefined: no limit. */
export function appliedRate({ perSecond, burst }: Rate, factor: number): Rate | undefined {
  if (factor === 0) return undefined;
  return { perSecond: perSecond * factor, burst: Math.max(1, burst * factor) };
}

/** Waits of a full bucket are short: the refusals with longer ones are made anew each time. Seconds. */
const LONGEST_KEPT = 60;
const kept = new Map<string, ConnectError>();

/** `wait`: seconds after which it is worth trying again. */
export function refuse(policy: string, wait: number): never {
  throw refusalOf(policy, Math.max(1, Math.ceil(wait)));
}

function refusalOf(policy: string, retryAfterSeconds: number): ConnectError {
  const key = `${policy} ${retryAfterSeconds}`;
  const known = kept.get(key);
  if (known) return known;
  const error = constantError('rate_limit_exceeded', { data: { policy }, retryAfterSeconds });
  if (retryAfterSeconds <= LONGEST_KEPT) kept.set(key, error);
  return error;
}
