import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../../scripts/documents/page.ts';
import { readCosts, type Costs } from './costs.ts';
import { placeShards } from './gateways.ts';
import { planForBurst, planForHour, simulate, SCENARIOS, type Scenario } from './simulate.ts';
import { scaleTable } from './table.ts';

const PAGE = 'docs/scaling.md';
const TABLE = /(?<=^## Bursts and the loss of a zone\n.*?\n\n)\|.*?\|(?=\n\n)/ms;
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

test('the table of the page is the one that the program prints', () => {
  const page = readText(PAGE);
  const expected = page.replace(TABLE, scaleTable(costs));
  if (process.env.UPDATE_DOCS) writeFileSync(path.join(REPOSITORY, PAGE), expected);
  expect(TABLE.exec(readText(PAGE))?.[0]).toBe(scaleTable(costs));
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
