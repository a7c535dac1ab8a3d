import type { IncomingMessage } from 'node:http';
import { errorOf, problem } from '@parley/domain/problems';
import { createConcurrency } from '@parley/kit/limits/concurrency';
import type { Limit } from './limit.ts';

/** Counts the tokens of one caller's address that turn out to be missing or bad. */
export type TokenGuard = {
  /** Counts a request without a token, or with one that takes no look-up to refuse. Problems: rate_limit_exceeded, which spares the answer that brings a nonce. */
  missing(): void;
  /** Counts a token that a look-up found to be bad. Problems: rate_limit_exceeded, when there were too many already. */
  bad(): void;
  /** Looks a token up that may be bad. Problems: rate_limit_exceeded, service_unavailable, those of the look-up. */
  lookUp<T>(look: () => Promise<T>): Promise<T>;
};

/** Look-ups of one address. Those that wait are asked for while the first are answered, which takes milliseconds. */
const LOOK_UPS = { running: 100, waiting: 5_000 };
/** Well within the 5 s of a request. Milliseconds. */
const WAIT_MS = 4_000;

/**
 * An address is refused for what it did, never for what it is about to do: only a token that proved bad counts, so that
 * any number of users with good tokens may share an address and come at once. Wrong tokens are refused before their look-up
 * once there were too many. Those whose look-ups were under way by then leave a debt, so that the rate holds nevertheless.
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
      bad() {
        try {
          limit.require(address);
        } finally {
          limit.charge(address, 1);
        }
      },
      lookUp(look) {
        return lookUps.run([address], () => {
          limit.require(address);
          return look();
        });
      },
    };
  };
}
