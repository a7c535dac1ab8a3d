import { fail } from '@parley/domain/problems';

/** Each transfer takes memory, so only so many are let in at a time. */
export type Transfers = { readonly active: number; run<T>(work: () => Promise<T>): Promise<T> };

/** Problems: service_unavailable. */
export function createTransfers(max: number): Transfers {
  let active = 0;
  return {
    get active() {
      return active;
    },
    async run(work) {
      if (active >= max) fail('service_unavailable', { retryAfterSeconds: 2 });
      active += 1;
      try {
        return await work();
      } finally {
        active -= 1;
      }
    },
  };
}
