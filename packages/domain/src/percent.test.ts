import fc from 'fast-check';
import { percentDecode, percentEncode } from './percent.ts';

const unicode = fc.string({ unit: 'binary' });

test("is encodeURIComponent, with ! ~ ' ( ) encoded too", () => {
  expect(percentEncode("!~'()*-_.aZ9 /@é😀")).toBe('%21%7E%27%28%29*-_.aZ9%20%2F%40%C3%A9%F0%9F%98%80');
});

test('what is encoded decodes to the same', () => {
  fc.assert(fc.property(unicode, (text) => percentDecode(percentEncode(text)) === text.toWellFormed()));
});

test('only characters that every URL takes are left', () => {
  fc.assert(fc.property(unicode, (text) => /^[A-Za-z0-9_.*%-]*$/.test(percentEncode(text))));
});

test('half a surrogate pair becomes U+FFFD and never throws', () => {
  expect(percentEncode('a\ud800b')).toBe('a%EF%BF%BDb');
});

test.each(['%', '%4', '%zz', 'a%', '%ff', '%C3', '%ED%A0%80'])('%s does not decode', (text) => {
  expect(percentDecode(text)).toBeUndefined();
});
