import { prefetch } from './prefetch.ts';

function counting(until: number) {
  const seen = { begun: 0, ended: false };
  async function* numbers() {
    try {
      for (let n = 1; n <= until; n++) {
        seen.begun = n;
        await Promise.resolve();
        yield n;
      }
      throw new Error('no more');
    } finally {
      seen.ended = true;
    }
  }
  return { seen, numbers: numbers() };
}

test('yields every item in order while the next one, and no other, is being fetched', async () => {
  const { seen, numbers } = counting(3);
  const taken: number[][] = [];
  const all = async () => {
    for await (const n of prefetch(numbers)) {
      await new Promise(setImmediate);
      taken.push([n, seen.begun]);
    }
  };
  await expect(all()).rejects.toThrow('no more');
  expect(taken).toEqual([
    [1, 2],
    [2, 3],
    [3, 3],
  ]);
});

test('ends its source when the reader leaves', async () => {
  const { seen, numbers } = counting(3);
  for await (const n of prefetch(numbers)) {
    expect(n).toBe(1);
    break;
  }
  expect(seen).toEqual({ begun: 2, ended: true });
});
