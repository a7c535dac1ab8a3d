import { Code, ConnectError } from '@connectrpc/connect';
import { createConcurrency } from '@parley/kit/flow/limits/concurrency';

/** Lets exports read in turn, one page at a time. */
export type PageTurns = {
  /** The pages of a generator, each of which is read when it is the application's turn. */
  inTurn<T>(appId: string, pages: AsyncGenerator<T, void>): AsyncGenerator<T, void>;
};

const MAX_WAITING = 1000;
const MAX_WAIT_MS = 3_600_000;

/** Creates turns by which at most `concurrency` exports read a page at the same time; further ones follow in turn by application. */
export function createPageTurns(concurrency: number): PageTurns {
  const limiter = createConcurrency({
    levels: [
      { running: concurrency, waiting: MAX_WAITING },
      { running: 1, waiting: MAX_WAITING },
    ],
    waitMs: MAX_WAIT_MS,
    refusal: () => new ConnectError('too many exports are waiting for their turn', Code.ResourceExhausted),
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
