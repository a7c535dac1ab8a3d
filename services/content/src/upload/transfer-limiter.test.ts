import { problemOf } from '@parley/domain/problems';
import { createTransferLimiter } from './transfer-limiter.ts';

test('each application takes at most half of the capacity that the others leave, so that the next one gets some', async () => {
  const transfers = createTransferLimiter(64);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const transfersUnderWay: Promise<unknown>[] = [];
  /** Each application has enough users that only its own share limits it. */
  const fill = (appId: string): number => {
    const before = transfers.active;
    for (let n = 0; n < 64; n += 1) {
      const transfer = transfers.run({ appId, userId: `user ${n % 4}` }, () => ended);
      transfersUnderWay.push(transfer.catch(problemOf));
    }
    return transfers.active - before;
  };
  const taken: number[] = [];
  for (const appId of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) taken.push(fill(appId));
  expect(taken).toEqual([32, 16, 8, 4, 2, 1, 1]);
  end();
  await Promise.all(transfersUnderWay);
  expect(transfers.active).toBe(0);
});

test('one user takes at most a quarter of the capacity, and the application’s server is not counted as a user', async () => {
  const transfers = createTransferLimiter(8);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const run = (userId: string | null) => transfers.run({ appId: 'app', userId }, () => ended);
  const transfersUnderWay = [run('ada'), run('ada')];
  const refusal = (error: unknown) => problemOf(error)?.id;
  expect(await run('ada').catch(refusal)).toBe('rate_limit_exceeded');
  transfersUnderWay.push(run(null), run(null));
  expect(await run(null).catch(refusal)).toBe('rate_limit_exceeded');
  end();
  await Promise.all(transfersUnderWay);
});
