import { readEnv } from './env.ts';
import { cellNames, cellPlan, ONE_CELL } from './cell-plan.ts';

const read = (text: string) =>
  readEnv({ PARLEY_CELLS: cellPlan({ default: ONE_CELL }) }, { PARLEY_CELLS: text });

test.each([
  ['', 'one', []],
  ['1', 'one', []],
  ['2', 'schemas', ['p00', 'p01']],
  ['citus:1', 'citus', ['p00']],
  ['citus:3', 'citus', ['p00', 'p01', 'p02']],
])('"%s" is the kind %s with the schemas %j', (text, kind, names) => {
  const plan = read(text).PARLEY_CELLS;
  expect(plan.kind).toBe(kind);
  expect(String(plan)).toBe(text || '1');
  expect(cellNames(plan)).toEqual(names);
});

test.each(['0', '65', '-1', '1.5', '04', 'citus', 'citus:', 'citus:0', 'citus:65', 'schemas:4', '4 '])(
  '"%s" is refused with what is accepted',
  (text) => {
    expect(() => read(text)).toThrow(/PARLEY_CELLS: not `1`, a number of schemas from 2 to 64/);
  },
);

test('names are in the order of cells, also beyond ten', () => {
  const names = cellNames({ kind: 'schemas', count: 64 });
  expect([names[9], names[10], names[63]]).toEqual(['p09', 'p10', 'p63']);
  expect(names.toSorted()).toEqual(names);
});
