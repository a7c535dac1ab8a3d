import { GROUPS, PAIRS } from '../scenarios/shapes.ts';
import { comparisonTable, titleOf, type Sample } from './comparison.ts';

const [one, fifty] = PAIRS;
const large = GROUPS.at(-1)!;

function sample(rate: number, rest: Partial<Sample> = {}): Sample {
  return { rate, p50: 1.25, bytes: 600, micros: 200.4, foreign: 0, ...rest };
}

function rowsOf(...compared: Parameters<typeof comparisonTable>[0]): string[] {
  return comparisonTable(compared).split('\n').slice(2);
}

test('the table has medians, their spread, and the ratio of the same round', () => {
  const parley = [sample(3_000), sample(1_000, { foreign: 0.034 }), sample(2_000)];
  const ejabberd = [sample(1_000, { p50: 4, bytes: 1_234 }), sample(1_000), sample(1_600, { micros: 900 })];
  expect(rowsOf({ shape: fifty!, parley, ejabberd })).toEqual([
    '| 50 pairs, 1 under way each | 2,000 (1,000–3,000) | 1,000 (1,000–1,600) | 1.25 (1.00–3.00) | 1.3 / 1.3 | 600 / 600 | 200 / 200 | 3 / 0 % |',
  ]);
});

test('one round has no spread', () => {
  const compared = { shape: one!, parley: [sample(300)], ejabberd: [sample(400, { bytes: 1_234 })] };
  expect(rowsOf(compared)).toEqual([
    '| 1 pair, 1 under way each | 300 | 400 | 0.75 | 1.3 / 1.3 | 600 / 1,234 | 200 / 200 | 0 / 0 % |',
  ]);
});

test('a system that came to no end has no figures, and the others stay', () => {
  const compared = { shape: large, parley: [sample(140), undefined], ejabberd: [undefined, undefined] };
  expect(rowsOf(compared)).toEqual([
    '| group of 1,000, 16 under way | 140 | not finished | not finished | 1.3 / – | 600 / – | 200 / – | 0 / 0 % |',
  ]);
});

test('a lean group is called a group', () => {
  expect(titleOf({ ...large, subprotocol: 'svc-4.0' })).toBe('group of 1,000, 16 under way');
});
