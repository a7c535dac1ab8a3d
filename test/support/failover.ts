import { setTimeout as pause } from 'node:timers/promises';
import { call, UnexpectedStatus, type Call } from './http.ts';

/** `done`: the status of a repeated request whose first attempt had succeeded although its answer was lost. */
type Attempts = Call & { done?: number };

/** A client of several gateways, used in turn: repeats a request once, at the next gateway, after a reset or a 503. */
export type Failover = {
  /** Resolves with the status of success. */
  call(method: string, path: string, expected: number, options?: Attempts): Promise<number>;
  next(): string;
  /** How many requests were repeated. */
  readonly retries: number;
};

const RETRY_AFTER_MS = 100;

export function createFailover(addresses: readonly string[]): Failover {
  let turn = 0;
  let retries = 0;
  const next = (): string => addresses[turn++ % addresses.length]!;
  return {
    next,
    get retries() {
      return retries;
    },
    call: async (method, path, expected, { done, ...options } = {}) => {
      const address = next();
      try {
        return (await call(method, address + path, expected, options)).status;
      } catch (error) {
        if (error instanceof UnexpectedStatus && error.status !== 503) throw error;
      }
      retries += 1;
      await pause(RETRY_AFTER_MS);
      const others = addresses.filter((other) => other !== address);
      try {
        const other = others[turn++ % others.length] ?? address;
        return (await call(method, other + path, expected, options)).status;
      } catch (error) {
        if (error instanceof UnexpectedStatus && error.status === done) return done;
        throw error;
      }
    },
  };
}
