import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../../scripts/documents/page.ts';
import { readCosts, type Costs } from './costs.ts';
import { placeShards } from './gateways.ts';
import { planForBurst, planForHour, simulate, SCENARIOS, type Scenario } from './simulate.ts';
import { INSTALLATIONS } from './cell-assumptions.ts';
import { installationTable, needsOf } from './installations.ts';
import { scaleTable } from './table.ts';

const PAGE = 'docs/scaling.md';
/** The table of a section. */
function tableIn(heading: string): RegExp {
  return new RegExp(`(?<=^## ${heading}\\n.*?\\n\\n)\\|.*?\\|(?=\\n\\n)`, 'ms');
}
const costs = readCosts(readText('docs/performance/benchmark.tsv'));
/** Costs with which a burst is more than what the busiest hour is planned for. */
const HIGH: Costs = {
  message: { gateway: 191e-6, messaging: 179e-6, postgres: 107e-6, nats: 29e-6 },
  delivery: { gateway: 10e-6, messaging: 2e-6, postgres: 2e-6, nats: 1e-6 },
  receipt: { gateway: 32e-6, messaging: 54e-6, postgres: 49e-6, nats: 8e-6 },
  socket: { gateway: 139e-6, messaging: 1e-6, postgres: 4e-6, nats: 1e-6 },
  replayedPacket: { gateway: 33e-6, messaging: 25e-6, postgres: 15e-6, nats: 1e-6 },
};

function outcome(name: string, sizes = planForHour(HIGH)) {
  return simulate(HIGH, sizes, SCENARIOS.find((one) => one.name === name) as Scenario);
}

test.each([
  ['Bursts and the loss of a zone', scaleTable(costs)],
  ['One hundred million users', installationTable(costs)],
])('the table of "%s" is the one that the program prints', (heading, table) => {
  const page = readText(PAGE);
  if (process.env.UPDATE_DOCS)
    writeFileSync(path.join(REPOSITORY, PAGE), page.replace(tableIn(heading), table));
  expect(tableIn(heading).exec(readText(PAGE))?.[0]).toBe(table);
});

test('what cells need grows with users, is divided by nodes, and costs the gate where there are several', () => {
  const [one, ...others] = INSTALLATIONS.map((installation) => needsOf(installation, HIGH));
  const four = needsOf({ name: '', times: 1, nodes: 4, cells: 16 }, HIGH);
  expect(four.cores / one!.cores).toBeCloseTo(1.3);
  expect(four.yearOfNode * 4).toBeCloseTo(one!.yearOfNode);
  expect(four.yearOfCell * 16).toBeCloseTo(one!.yearOfNode);
  for (const [index, needs] of others.entries())
    expect(needs.cores).toBeCloseTo(one!.cores * 1.3 * INSTALLATIONS[index + 1]!.times);
});

test('costs are those of the benchmark, and a missing row is named', () => {
  const head = 'scenario\tgateway µs\tmessaging µs\tpostgres µs\tnats µs\n';
  const rows = [
    'REST sends, 50 in flight',
    'fan-out to 100 members, deliveries',
    'read receipts, 200 in flight',
    'idle sockets, opened',
    'replay of 10000 messages, packets',
  ].map((name, index) => `${name}\t${index + 1}000\t2\t3\t4\n`);
  expect(readCosts(head + rows.join(''))).toMatchObject({
    message: { gateway: 1e-3, messaging: 2e-6, postgres: 3e-6, nats: 4e-6 },
    replayedPacket: { gateway: 5e-3 },
  });
  expect(() => readCosts(head)).toThrow('have no row "REST sends, 50 in flight".');
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
  expect(outcome('burst', planForBurst(HIGH)).longestWait).toBe(0);
});
