import fc from 'fast-check';
import { CONTENDED } from '@parley/kit/batch';
import { callHomes } from './call-homes.ts';

const homeOf = (item: number) => (item < 0 ? undefined : `server ${item % 3}`);

test('each server gets its items in their order, and the answers are in the order of all', async () => {
  const items = fc.array(fc.integer({ min: -2, max: 20 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      const calls = new Map<string | undefined, number[]>();
      const answers = await callHomes(given, homeOf, async (some, home) => {
        expect(calls.has(home)).toBe(false);
        calls.set(home, some);
        await Promise.resolve();
        return some.map((item) => `${item} of ${home}`);
      });
      expect(answers).toEqual(given.map((item) => `${item} of ${homeOf(item)}`));
      for (const [home, some] of calls) expect(some).toEqual(given.filter((item) => homeOf(item) === home));
    }),
  );
});

test('the failure of one of several calls is that of its items alone', async () => {
  const failure = new Error('down');
  const answers = await callHomes([0, 1, 3, 2], homeOf, (some, home) =>
    home === 'server 0' ? Promise.reject(failure) : Promise.resolve(some.map(() => CONTENDED)),
  );
  expect(answers).toEqual([failure, CONTENDED, failure, CONTENDED]);
});

test('the failure of the only call is that of the batch', async () => {
  await expect(callHomes([0, 3], homeOf, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
});

test('items whose call answers too few of them fail', async () => {
  const answers = await callHomes([0, 1, 3], homeOf, (_, home) =>
    Promise.resolve(home === 'server 0' ? ['one'] : ['other']),
  );
  expect(answers).toEqual([expect.any(Error), 'other', expect.any(Error)]);
});
