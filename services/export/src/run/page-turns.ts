import { Code, ConnectError } from '@connectrpc/connect';
import { createConcurrency } from '@parley/kit/concurrency';

/** Lets exports work in turn, each for one page of what it reads at a time. */
export type Turns = {
  inTurn<T>(appId: string, pages: AsyncGenerator<T, void>): AsyncGenerator<T, void>;
};

const MAX_WAITING = 1000;
const MAX_WAIT_MS = 3_600_000;

/** At most `concurrency` exports read a page at the same time; the others follow round-robin by application. */
export function createTurns(concurrency: number): Turns {
  const limiter = createConcurrency({
    levels: [
      { running: concurrency, waiting: MAX_WAITING },
      { running: 1, waiting: MAX_WAITING },
    ],
    waitMs: MAX_WAIT_MS,
    refusal: () => new ConnectError('no turn for the export', Code.ResourceExhausted),
  });
  return {
    async *inTurn(appId, pages) {
      try {
        for (;;) {
          const { done, value } = await limiter.run(['all', appId], () => pages.next());
          if (done) return;
          yield value;
        }
      } finally {
        await pages.return();
      }
    },
  };
}
