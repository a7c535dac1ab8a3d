import { createPace } from '../../test/support/pace.ts';

const { signal } = new AbortController();

/** How many of a thousand clients have had a turn after a time. */
async function turnsWithin(pace: Parameters<typeof createPace>[0], ms: number): Promise<number> {
  const end = new AbortController();
  const turn = createPace(pace);
  let taken = 0;
  const began = performance.now();
  const clients = Array.from({ length: 1_000 }, async () => {
    await turn(end.signal);
    if (performance.now() - began < ms) taken += 1;
    else end.abort();
  });
  await Promise.allSettled(clients);
  return taken;
}

test('a pace gives its burst at once and no more than its rate afterwards', async () => {
  const taken = await turnsWithin({ burst: 50, perSecond: 100 }, 300);
  expect(taken).toBeGreaterThanOrEqual(50);
  // 30 turns in 300 ms, and one that was late.
  expect(taken).toBeLessThanOrEqual(50 + 30 + 1);
});

test('a turn that is waited for ends with the signal', async () => {
  const turn = createPace({ burst: 0, perSecond: 0.001 });
  const end = new AbortController();
  const waiting = turn(end.signal);
  end.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await createPace({ burst: 1, perSecond: 0.001 })(signal);
});
