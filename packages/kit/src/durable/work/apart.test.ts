import { Code } from '@connectrpc/connect';
import { DatabaseError } from '../../postgres/index.ts';
import { eachApart, stepsApart } from './apart.ts';

test('those behind one that fails get their turn, and then the failure is told', async () => {
  const done: number[] = [];
  const run = (item: number): Promise<void> => {
    if (item === 1) return Promise.reject(new Error('poison'));
    done.push(item);
    return Promise.resolve();
  };
  await expect(eachApart([1, 2, 3], run)).rejects.toThrow('poison');
  expect(done).toEqual([2, 3]);
});

test('several failures are told together, with the first in words', async () => {
  const failing = (text: string) => () => Promise.reject(new Error(text));
  const told = stepsApart([failing('one'), () => Promise.resolve(), failing('two')]);
  await expect(told).rejects.toThrow('2 of 3 failed; the first: one');
});

test('nothing more is tried when the database is away', async () => {
  const tried: number[] = [];
  const run = (item: number): Promise<void> => {
    tried.push(item);
    return Promise.reject(new DatabaseError('unreachable', Code.Unavailable));
  };
  await expect(eachApart([1, 2], run)).rejects.toThrow('unreachable');
  expect(tried).toEqual([1]);
});

test('the rest is left when the work is to stop', async () => {
  const stopping = new AbortController();
  const tried: number[] = [];
  await eachApart(
    [1, 2],
    (item) => {
      tried.push(item);
      stopping.abort();
      return Promise.resolve();
    },
    stopping.signal,
  );
  expect(tried).toEqual([1]);
});
