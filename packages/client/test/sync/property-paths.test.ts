import fc from 'fast-check';
import { joinKeys, keysOf } from '../../src/records/paths.ts';

const key = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '.', '\\') }));

test.each([
  ['metadata', ['metadata']],
  ['metadata.a.b', ['metadata', 'a', 'b']],
  ['metadata.a\\.b', ['metadata', 'a.b']],
  ['a.', ['a', '']],
  ['a\\b\\', ['a\\b\\']],
  ['a\\\\b', ['a\\\\b']],
  ['a\\\\.b', ['a\\', 'b']],
  ['a\\\\\\.b', ['a\\.b']],
])('%s is the path of the keys %j, as on the platform', (path, keys) => {
  expect(keysOf(path)).toEqual(keys);
  expect(joinKeys(keys)).toBe(path);
});

test('every key survives being written in a path', () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1 }), (keys) => expect(keysOf(joinKeys(keys))).toEqual(keys)),
  );
});
