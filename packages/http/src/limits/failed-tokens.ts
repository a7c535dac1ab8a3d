import type { IncomingMessage } from 'node:http';
import { errorOf, problem } from '@parley/domain/problems';
import { createConcurrency } from '@parley/kit/flow/limits/concurrency';
import type { Limit } from './limit.ts';

/** Counts the missing and bad tokens that come from the caller's address. */
export type TokenGuard = {
  /** Counts a request without a token, or with a malformed one. Problems: rate_limit_exceeded, an answer that issues no nonce. */
  missing(): void;
  /** Counts nothing. Problems: rate_limit_exceeded, when there were too many bad or missing tokens already. */
  require(): void;
  /** Counts a token that a look-up found to be bad. Problems: rate_limit_exceeded, when there were too many already. */
  bad(): void;
  /** Looks up a token that may be bad. Problems: rate_limit_exceeded, service_unavailable, those of the look-up. */
  lookUp<T>(look: () => Promise<T>): Promise<T>;
};

/** Look-ups of one address. A look-up takes milliseconds, so that even the last in the queue waits for moments only. */
const LOOK_UPS = { running: 100, waiting: 5_000 };
/** Well within the 5 s of a request. Milliseconds. */
const WAIT_MS = 4_000;

/**
 * Limits look-ups of bad tokens by address. Only a token that proved bad counts, so that any number of users with good
 * tokens may share an address and connect at once. After too many bad ones, unknown tokens are refused without a look-up.
 * Bad tokens whose look-ups were under way by then are charged as a debt, so that the rate holds nevertheless.
 */
export function guardTokens(limit: Limit, addressOf: (req: IncomingMessage) => string) {
  const lookUps = createConcurrency({
    levels: [LOOK_UPS],
    waitMs: WAIT_MS,
    refusal: () => errorOf(problem('service_unavailable')),
  });
  return (req: IncomingMessage): TokenGuard => {
    const address = addressOf(req);
    return {
      missing: () => limit.take(address),
      require: () => limit.require(address),
      bad() {
        try {
          limit.require(address);
        } finally {
          limit.charge(address, 1);
        }
      },
      async lookUp(look) {
        // Also before it waits: a refusal takes no place among the look-ups.
        limit.require(address);
        return lookUps.run([address], () => {
          limit.require(address);
          return look();
        });
      },
    };
  };
}
