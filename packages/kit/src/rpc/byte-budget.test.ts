import { Code, ConnectError } from '@connectrpc/connect';
import { callInHalves, countFitting, isTooLarge, tooLarge } from './byte-budget.ts';

test('a budget has room for what comes before its end, and always for one item', () => {
  const size = (item: number) => item;
  expect(countFitting([4, 4, 4], 8, size)).toBe(2);
  expect(countFitting([4, 4, 4], 12, size)).toBe(3);
  expect(countFitting([9, 1], 8, size)).toBe(1);
  expect(countFitting([], 8, size)).toBe(0);
});

test('a refused batch is asked for in halves, each result in its place', async () => {
  const calls: number[][] = [];
  const results = await callInHalves([3, 1, 1, 1, 3], (items) => {
    calls.push(items);
    const bytes = items.reduce((sum, item) => sum + item, 0);
    return bytes > 4 ? Promise.reject(tooLarge()) : Promise.resolve(items.map((item) => item * 10));
  });
  expect(results).toEqual([30, 10, 10, 10, 30]);
  expect(calls).toEqual([[3, 1, 1, 1, 3], [3, 1], [1, 1, 3], [1], [1, 3]]);
});

test('an item that is too large by itself fails, and other failures are passed on', async () => {
  await expect(callInHalves([1], () => Promise.reject(tooLarge()))).rejects.toThrow('larger than');
  const failure = new ConnectError('away', Code.Unavailable);
  await expect(callInHalves([1, 2], () => Promise.reject(failure))).rejects.toBe(failure);
});

test('a refusal for size is told apart from a refusal for too many requests', () => {
  const byPeer = 'Received message larger than max (9000000 vs 8388608)';
  expect(isTooLarge(new ConnectError(byPeer, Code.ResourceExhausted))).toBe(true);
  expect(isTooLarge(new ConnectError('Too many requests.', Code.ResourceExhausted))).toBe(false);
});
