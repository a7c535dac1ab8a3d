import type { JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { parsePatch } from '../parse/patch.ts';
import { metadataSize } from '../metadata.ts';
import { applyPatch } from './patch.ts';
import { closeCopy, deleteAt, openCopy, setAt } from './working-copy.ts';
import { failureOf } from '../testing/failure.ts';
import { wire } from '../testing/samples.ts';

const set = (property: string, value: unknown) => ({ operation: 'set', property, value });
const remove = (property: string) => ({ operation: 'delete', property });
const patched = (metadata: JsonObject, ...steps: object[]) => applyPatch(metadata, parsePatch(wire, steps));

test('sets and deletes by path, and makes the objects that are missing', () => {
  expect(patched({}, set('metadata.a.b', 'x'), set('metadata.a.c', 'y'))).toEqual({ a: { b: 'x', c: 'y' } });
  expect(patched({ a: { b: 'x', c: 'y' } }, remove('metadata.a.b'))).toEqual({ a: { c: 'y' } });
  expect(patched({ a: 'x' }, set('metadata', { b: 'y' }))).toEqual({ b: 'y' });
  expect(patched({ a: 'x' }, remove('metadata'))).toEqual({});
  expect(patched({}, set('metadata.a\\.b', { c: 'x' }))).toEqual({ 'a.b': { c: 'x' } });
});

test('deleting what is not there changes nothing', () => {
  const metadata = { a: 'x', b: {} };
  for (const path of ['c', 'c.d', 'a.b', 'b.c', 'toString', 'constructor.name']) {
    expect(patched(metadata, remove(`metadata.${path}`))).toEqual(metadata);
  }
});

test('names that every object inherits are names like others', () => {
  const result = patched({}, set('metadata.constructor.prototype.x', 'y'), set('metadata.toString', 'z'));
  expect(Object.entries(result)).toEqual([
    ['constructor', { prototype: { x: 'y' } }],
    ['toString', 'z'],
  ]);
});

test('is applied whole or not at all', () => {
  const metadata = Object.freeze({ a: Object.freeze({ b: 'x' }) });
  const key = fc.constantFrom('a', 'b', 'c', 'a.b', 'a.c', 'a.b.c');
  const step = fc.oneof(
    key.map((path) => set(`metadata.${path}`, 'y')),
    key.map((path) => remove(`metadata.${path}`)),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let before: JsonObject = metadata;
      try {
        for (const one of steps) before = patched(before, one);
      } catch {
        expect(failureOf(() => patched(metadata, ...steps))).toBe('invalid_property metadata');
        return;
      }
      expect(patched(metadata, ...steps)).toEqual(before);
    }),
  );
  expect(metadata).toEqual({ a: { b: 'x' } });
});

test('a string on the way fails', () => {
  expect(failureOf(() => patched({ a: 'x' }, set('metadata.a.b', 'y')))).toBe('invalid_property metadata');
});

test('metadata that are too large after a step fail, though a later one makes them small', () => {
  const half = 'x'.repeat(1_100);
  const steps = [set('metadata.a', half), set('metadata.b', half), remove('metadata.a')];
  expect(failureOf(() => patched({}, ...steps))).toBe('invalid_property metadata');
  expect(patched({}, steps[0]!, remove('metadata.a'), steps[1]!)).toEqual({ b: half });
});

test('the size after each step is that of the JSON text', () => {
  const size = (metadata: JsonObject) => openCopy(metadata).size;
  const key = fc.constantFrom('a', 'é"', '\n', 'b');
  const path = fc.array(key, { minLength: 1, maxLength: 3 });
  const value = fc.constantFrom('x', '💥', { a: 'y', b: {} }, {});
  fc.assert(
    fc.property(fc.array(fc.tuple(path, fc.option(value))), (steps) => {
      const copy = openCopy({ b: { a: 'x' } });
      for (const [at, given] of steps) {
        try {
          if (given === null) deleteAt(copy, at);
          else setAt(copy, at, given);
        } catch {
          // A string blocks the path.
        }
        const metadata = closeCopy(copy);
        expect(copy.size).toBe(metadataSize(metadata));
        expect(size(metadata)).toBe(copy.size);
      }
    }),
  );
});
