import { createElection } from '../../src/tabs/election.ts';

const { jest } = import.meta;

/** Grants each request at once, as where the lock is free or is taken from its holder. */
const LOCKS = {
  request: (_name: string, _options: unknown, run: () => Promise<void>) => run(),
} as unknown as LockManager;

test('a tab that has the lock waits for the store, however long that takes, and leads then', async () => {
  jest.useFakeTimers();
  try {
    const claimed = Promise.withResolvers<number>();
    const claim = jest.fn(() => claimed.promise);
    const lead = jest.fn();
    const election = createElection({
      ...{ lockName: 'leader', locks: LOCKS, heartbeatMs: 100, silenceMs: 600 },
      ...{ claim, lead, send: () => undefined, follow: () => undefined, woke: () => undefined },
    });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(claim).toHaveBeenCalledTimes(1);
    claimed.resolve(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(lead.mock.calls).toEqual([[1]]);
    await election.stop();
  } finally {
    jest.useRealTimers();
  }
});
