import { RowHeights } from '../src/row-heights.ts';

/** Rows whose ids are numbers. */
function rows(from: number, to: number): { id: string }[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ id: String(from + index) }));
}

/** A list of the rows 1 to 100, each of which is 10 pixels high. */
function measured(): RowHeights {
  const heights = new RowHeights();
  heights.set(rows(1, 100), 0);
  heights.measure(0, Array<number>(100).fill(10), 0);
  heights.shifted();
  return heights;
}

test('older rows change no position', () => {
  const heights = measured();
  heights.set(rows(-49, 100), 300);
  expect([heights.shift, heights.below(149), heights.below(50 + 69)]).toEqual([0, 0, 300]);
  expect(heights.total).toBe(1000 + 50 * 56);
});

test('a newer row moves those above it by its height, as it is estimated and then as it is measured', () => {
  const heights = measured();
  heights.set(rows(1, 101), 300);
  expect(heights.shift).toBe(56);
  expect(heights.measure(100, [20], 300)).toBe(true);
  expect([heights.shift, heights.below(99)]).toEqual([20, 20]);
});

test('a list that leaves out its oldest row for a new one keeps its place', () => {
  const heights = measured();
  heights.set(rows(2, 101), 300);
  expect([heights.shift, heights.total]).toEqual([56, 990 + 56]);
});

test('a row that goes below moves those above it down, and one that goes above moves none', () => {
  const heights = measured();
  heights.set([...rows(1, 89), ...rows(91, 100)], 300);
  expect(heights.shift).toBe(-10);
  heights.shifted();
  heights.set([...rows(1, 9), ...rows(11, 89), ...rows(91, 100)], 290);
  expect(heights.shift).toBe(0);
});

test('a row that comes back has its height', () => {
  const heights = measured();
  heights.set(rows(1, 50), 0);
  heights.set(rows(1, 100), 0);
  expect(heights.total).toBe(1000);
});

test('the rows in the page are those in sight and a few more, at both ends of the list too', () => {
  const heights = measured();
  expect(heights.range({ lower: 0, upper: 100, more: 5 })).toEqual({ first: 84, end: 100 });
  expect(heights.range({ lower: 500, upper: 600, more: 5 })).toEqual({ first: 34, end: 55 });
  expect(heights.range({ lower: 950, upper: 1050, more: 5 })).toEqual({ first: 0, end: 10 });
  expect(new RowHeights().range({ lower: 0, upper: 100, more: 5 })).toEqual({ first: 0, end: 0 });
});

test('rows that come into sight for the first time move nothing', () => {
  const heights = new RowHeights();
  heights.set(rows(1, 100), 0);
  heights.measure(50, Array<number>(20).fill(10), 2000);
  expect(heights.shift).toBe(0);
});
