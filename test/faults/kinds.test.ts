import { faultsOf, type Fault } from './kinds.ts';

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
    ['both', 'cut', 'delay', 'end', 'fill', 'forget', 'freeze', 'jump', 'lose', 'roll', 'swallow'].sort(),
  );
});

test.each<[string, number[], number]>([
  ['pauses', of('freeze').map(({ ms }) => ms), 4_000],
  ['cuts', of('cut').map(({ ms }) => ms), 3_000],
  ['delays', of('delay').map(({ delayMs }) => delayMs), 200],
  ['full disks', of('fill').map(({ ms }) => ms), 4_000],
  ['losses of NATS', of('forget').map(({ ms }) => ms), 4_000],
  [
    'clocks ahead',
    of('jump').flatMap(({ name, aheadMs }) => (/^(content|push)/.test(name) ? Math.abs(aheadMs) : [])),
    60_000,
  ],
])('%s are of every size', (_what, sizes, max) => {
  expect(between(sizes, 0.1 * max, 0.5 * max)).toBeGreaterThan(0.15);
  expect(between(sizes, 0.5 * max, max)).toBeGreaterThan(0.25);
});

test('clocks jump in both directions', () => {
  const jumps = of('jump').map(({ aheadMs }) => aheadMs);
  expect(between(jumps, 0, Infinity)).toBeGreaterThan(0.3);
  expect(between(jumps, -Infinity, -1)).toBeGreaterThan(0.3);
});
