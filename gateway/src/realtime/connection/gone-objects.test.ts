import fc from 'fast-check';
import { GoneObjects, type About } from './gone-objects.ts';

const room = (operation: About['operation'], seq?: number): About => ({
  ...{ operation, id: 'room', within: [], seq },
});
const message = (operation: About['operation'], seq?: number, id = 'message'): About => ({
  ...{ operation, id, within: ['room'], seq, isMessage: operation === 'create' },
});

function admitted(...packets: About[]): boolean[] {
  const gone = new GoneObjects();
  return packets.map((about) => gone.admits(about));
}

test('nothing follows a deletion, of the object or of what is in it, until it is created anew', () => {
  expect(admitted(room('update'), room('delete', 5), room('update'), message('update', 6))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(admitted(room('delete', 5), room('delete', 6), room('create', 7), message('update', 8))).toEqual([
    ...[true, false, true, true],
  ]);
});

test('who hid an object is told once of its deletion for all', () => {
  const forAll = { ...room('delete', 6), isForAll: true };
  expect(admitted(room('delete', 5), forAll, forAll, room('delete', 7), room('update'))).toEqual([
    ...[true, true, false, false, false],
  ]);
});

test('a new message brings a hidden conversation back, and one from before the hiding does not', () => {
  expect(admitted(room('delete', 5), message('create', 4), room('update'))).toEqual([true, false, false]);
  expect(admitted(room('delete', 5), message('create', 6), room('update'))).toEqual([true, true, true]);
});

test('the creation of a deleted message that comes late is left out', () => {
  expect(admitted(message('delete', 5), message('create', 4), message('update', 6))).toEqual([
    ...[true, false, false],
  ]);
});

test('the creation of a conversation from before the hiding is left out', () => {
  expect(admitted(room('delete', 5), room('create', 4), room('create', 6))).toEqual([true, false, true]);
});

test('a bounded number of objects is remembered, the latest ones', () => {
  const gone = new GoneObjects();
  for (let n = 0; n <= 1_000; n++) gone.admits(message('delete', n, `m${n}`));
  expect(gone.admits(message('update', 2_000, 'm0'))).toBe(true);
  expect(gone.admits(message('update', 2_000, 'm1'))).toBe(false);
});

test('whatever comes, no packet that passes names what was told to be gone', () => {
  const operation = fc.constantFrom('create' as const, 'update' as const, 'delete' as const);
  const seq = fc.option(fc.nat(20), { nil: undefined });
  const packet = fc.oneof(
    fc.tuple(operation, seq).map(([one, at]) => room(one, at)),
    fc.tuple(operation, seq, fc.constantFrom('a', 'b')).map(([one, at, id]) => message(one, at, id)),
  );
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 40 }), (packets) => {
      const gone = new GoneObjects();
      const told = new Set<string>();
      for (const about of packets) {
        if (!gone.admits(about)) continue;
        if (about.operation === 'create') for (const id of [about.id, ...about.within]) told.delete(id);
        expect([about.id, ...about.within].filter((id) => told.has(id))).toEqual([]);
        if (about.operation === 'delete') told.add(about.id);
      }
    }),
  );
});
