import fc from 'fast-check';
import { escapeDots, joinPath, splitPath } from './dotted-path.ts';

const name = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '.', '\\') }));

test.each([
  ['metadata', ['metadata']],
  ['metadata.a.b', ['metadata', 'a', 'b']],
  ['metadata.a\\.b', ['metadata', 'a.b']],
  ['a.', ['a', '']],
  ['a\\b\\', ['a\\b\\']],
  ['a\\\\b', ['a\\\\b']],
  ['a\\\\.b', ['a\\', 'b']],
  ['a\\\\\\.b', ['a\\.b']],
])('%s is the path %j', (text, path) => {
  expect(splitPath(text)).toEqual(path);
  expect(joinPath(path)).toBe(text);
});

test('every path survives being written', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1 }), (path) => expect(splitPath(joinPath(path))).toEqual(path)),
  );
});

test('names without dots and backslashes are written as they are', () => {
  expect(joinPath(['metadata', 'ä 😀', '__proto__'])).toBe('metadata.ä 😀.__proto__');
});

test('a single name is written with its dots escaped', () => {
  expect(escapeDots('svc:///identities/joe.doe.x')).toBe('svc:///identities/joe\\.doe\\.x');
  expect(escapeDots('a\\.b')).toBe('a\\\\\\.b');
});
