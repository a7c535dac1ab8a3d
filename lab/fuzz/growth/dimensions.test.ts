import { dimensionsOf } from './dimensions.ts';

const VALUE = [
  { operation: 'set', property: 'metadata.a', value: 'x' },
  { list: ['one', 'two'], none: [], count: 1 },
];
const BYTES = 50_000;

test('every dimension is JSON that grows up to the size asked for', () => {
  const dimensions = dimensionsOf(VALUE, BYTES);
  expect(new Set(dimensions.map(({ name }) => name)).size).toBe(dimensions.length);
  for (const { name, grow } of dimensions) {
    const [small, large] = [grow(0.25), grow(1)];
    if (!name.startsWith('depth')) JSON.parse(large);
    expect(`${name} ${Buffer.byteLength(large) <= BYTES}`).toBe(`${name} true`);
    expect(`${name} ${small.length < large.length}`).toBe(`${name} true`);
  }
});

test('a text of an item may be another one in each, and long enough to fill the size with few', () => {
  const named = new Map(dimensionsOf(VALUE, BYTES).map(({ name, grow }) => [name, grow]));
  const values = (name: string) =>
    (JSON.parse(named.get(name)!(1)) as { value?: string }[]).flatMap(({ value }) => value ?? []);
  expect(new Set(values('100 items of the whole by 0.value')).size).toBe(50);
  expect(values('100 large items of the whole by 0.value')[0]!.length).toBeGreaterThan(300);
  expect(values('100 copies of the whole')).toEqual(new Array(50).fill('x'));
});
