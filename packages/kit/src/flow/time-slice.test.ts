import { createTimeSlice } from './time-slice.ts';

test('a short piece of work keeps the thread', () => {
  let now = 0;
  const giveWay = createTimeSlice(() => now);
  now = 1.9;
  expect(giveWay()).toBeUndefined();
});

test('after 2 ms the other work of the process gets a turn', async () => {
  let now = 0;
  const giveWay = createTimeSlice(() => now);
  let others = 0;
  setImmediate(() => (others += 1));
  now = 2;
  await giveWay();
  expect(others).toBe(1);
  expect(giveWay()).toBeUndefined();
});
