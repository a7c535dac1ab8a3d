import { untilUnhealthy } from './watch-health.ts';

const pace = { everyMs: 1, againMs: 1, timeoutMs: 20, failures: 3 };

test('gives up after so many failures in a row, of which an answer that does not come is one', async () => {
  const answers = [false, false, true, false, undefined, false, true];
  const asked: (boolean | undefined)[] = [];
  const check = async (signal: AbortSignal): Promise<void> => {
    const answer = answers[asked.length];
    asked.push(answer);
    if (answer === undefined) await new Promise((_, reject) => signal.addEventListener('abort', reject));
    if (!answer) throw new Error('not well');
  };
  const failure = await untilUnhealthy(check, new AbortController().signal, pace);
  expect(failure?.message).toBe('not well');
  expect(asked).toEqual([false, false, true, false, undefined, false]);
});

test('stops when it is told to', async () => {
  const stopping = new AbortController();
  const watching = untilUnhealthy(() => Promise.resolve(), stopping.signal, pace);
  stopping.abort();
  expect(await watching).toBeUndefined();
});
