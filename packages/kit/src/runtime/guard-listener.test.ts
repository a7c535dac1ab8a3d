import { guardListener } from './guard-listener.ts';

test.each([
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
])('what %s is reported', async (_, work) => {
  const error = await new Promise((resolve) => guardListener(work, resolve));
  expect(error).toEqual(new Error('broken'));
});

test('work that succeeds is not reported', async () => {
  const errors: unknown[] = [];
  guardListener(
    () => 1,
    (error) => errors.push(error),
  );
  guardListener(
    () => Promise.resolve(2),
    (error) => errors.push(error),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toEqual([]);
});
