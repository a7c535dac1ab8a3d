import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@parley/stack/config';
import { KINDS } from '../../test/support/fleet.ts';
import { CALLS, faultsOf, type Fault } from './kinds.ts';

const COUNT = 2_000;
const faults = faultsOf(7, COUNT).flatMap((fault) => (fault.kind === 'both' ? fault.faults : [fault]));

function of<K extends Fault['kind']>(kind: K): Extract<Fault, { kind: K }>[] {
  return faults.filter((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind);
}
const between = (values: readonly number[], low: number, high: number): number =>
  values.filter((value) => value > low && value <= high).length / values.length;

test('the faults of a seed are always the same', () => {
  expect(faultsOf(7, 50)).toEqual(faultsOf(7, 50));
  expect(faultsOf(8, 50)).not.toEqual(faultsOf(7, 50));
});

test('every kind of fault occurs', () => {
  const kinds = new Set(faultsOf(7, COUNT).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(
    [
      ...[
        'astray',
        'both',
        'cut',
        'delay',
        'end',
        'fill',
        'forget',
        'freeze',
        'jump',
        'lose',
        'part',
        'reset',
        'roll',
      ],
      ...['swallow', 'wait'],
    ].sort(),
  );
});

test.each<[string, number[], number]>([
  ['pauses', of('freeze').map(({ ms }) => ms), 4_000],
  ['cuts', of('cut').map(({ ms }) => ms), 3_000],
  ['delays', of('delay').map(({ delayMs }) => delayMs), 200],
  ['full disks', of('fill').map(({ ms }) => ms), 4_000],
  ['losses of NATS', of('forget').map(({ ms }) => ms), 4_000],
  ['partings', of('part').map(({ ms }) => ms), 8_000],
  ['waits for a standby', of('wait').map(({ ms }) => ms), 8_000],
])('%s are of every size', (_what, sizes, max) => {
  expect(between(sizes, 0.1 * max, 0.5 * max)).toBeGreaterThan(0.15);
  expect(between(sizes, 0.5 * max, max)).toBeGreaterThan(0.25);
});

const clocks = [...of('jump'), ...of('astray')];

test('clocks jump in both directions, by seconds, hours and weeks', () => {
  const HOUR_MS = 3_600_000;
  for (const sign of [1, -1]) {
    const jumps = clocks.map(({ aheadMs }) => sign * aheadMs);
    expect(between(jumps, 0, 10_000)).toBeGreaterThan(0.03);
    expect(between(jumps, HOUR_MS, 24 * HOUR_MS)).toBeGreaterThan(0.03);
    expect(between(jumps, 7 * 24 * HOUR_MS, 40 * 24 * HOUR_MS)).toBeGreaterThan(0.03);
  }
});

test('the clock of every process is wrong, alone and with that of its replicas', () => {
  const names = faultsOf(7, 10 * COUNT).flatMap((fault) => (fault.kind === 'jump' ? fault.names.join() : []));
  for (const kind of KINDS)
    expect(names).toEqual(expect.arrayContaining([kind, `${kind}-2`, `${kind},${kind}-2`]));
});

test('transactions end at every seam', () => {
  const seams = new Set(of('reset').map(({ seam, skip }) => `${seam} ${Math.min(skip, 3)}`));
  expect(seams.size).toBe(3 * 4);
});

test('every pair of processes that call each other loses what is sent in one direction, and is parted', () => {
  const pairs = Object.entries(CALLS).flatMap(([caller, called]) =>
    ['', '-2'].flatMap((replica) => called.map((service) => `${caller}${replica} ${service}`)),
  );
  const many = faultsOf(7, 20 * COUNT);
  const halfOpen = many.flatMap((fault) =>
    fault.kind === 'swallow' && fault.direction !== 'both' && fault.on.link === 'RPC'
      ? `${fault.on.caller} ${fault.on.name.replace(/-2$/, '')} ${fault.direction}`
      : [],
  );
  const parted = many.flatMap((fault) => (fault.kind === 'part' ? `${fault.caller} ${fault.service}` : []));
  for (const pair of pairs) {
    expect(halfOpen).toEqual(expect.arrayContaining([`${pair} toServer`, `${pair} toClient`]));
    expect(parted).toContain(pair);
  }
});

test.each(KINDS.filter((kind) => kind !== 'gateway'))('%s calls what its configuration names', (kind) => {
  const text = readFileSync(path.join(REPOSITORY, `services/${kind}/src/config.ts`), 'utf8');
  const called = [...text.matchAll(/sharedSettings\.(\w+)Address/g)].map(([, name]) => name);
  expect((CALLS[kind] ?? []).toSorted()).toEqual(called.toSorted());
});
