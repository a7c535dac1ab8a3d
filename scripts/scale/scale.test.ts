import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../documents/page.ts';
import { readCosts } from './costs.ts';
import { placeShards } from './gateways.ts';
import { planForBurst, planForHour, simulate, SCENARIOS, type Scenario } from './simulate.ts';
import { scaleTable } from './table.ts';

const PAGE = 'docs/scaling.md';
const TABLE = /(?<=^## Bursts and the loss of a zone\n.*?\n\n)\|.*?\|(?=\n\n)/ms;
const costs = readCosts(readText('docs/performance.md'));

function outcome(name: string, sizes = planForHour(costs)) {
  return simulate(costs, sizes, SCENARIOS.find((one) => one.name === name) as Scenario);
}

test('the table of the page is the one that the program prints', () => {
  const page = readText(PAGE);
  const expected = page.replace(TABLE, scaleTable(costs));
  if (process.env.UPDATE_DOCS) writeFileSync(path.join(REPOSITORY, PAGE), expected);
  expect(TABLE.exec(readText(PAGE))?.[0]).toBe(scaleTable(costs));
});

test('costs are those of the benchmark, and a missing row is named', () => {
  expect(costs.message.messaging).toBeCloseTo(179e-6);
  expect(() => readCosts('## The benchmark\n\n| scenario | gateway µs |\n| --- | --- |\n')).toThrow(
    'docs/performance.md has no row "REST sends, 50 in flight".',
  );
});

test('the loss of a gateway moves no shards but its own', () => {
  const before = placeShards(['a', 'b', 'c'], 64);
  const after = placeShards(['b', 'c'], 64);
  expect([...before.values()].reduce((sum, one) => sum + one, 0)).toBe(64);
  for (const name of ['b', 'c']) expect(after.get(name)).toBeGreaterThanOrEqual(before.get(name) ?? 0);
  expect([...after.values()].reduce((sum, one) => sum + one, 0)).toBe(64);
});

test('work that does not fit waits, and is done later', () => {
  const burst = outcome('burst');
  expect(outcome('busiest hour')).toMatchObject({ longestWait: 0, wholeAfter: 0 });
  expect(burst.busy.messaging).toBe(1);
  expect(burst.wholeAfter).toBeGreaterThan(60);
  expect(outcome('a zone fails').longestWait).toBeGreaterThanOrEqual(30);
  expect(outcome('burst', planForBurst(costs)).longestWait).toBe(0);
});
