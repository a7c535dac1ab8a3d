import fc from 'fast-check';
import { decodeFilename, isFilename, nameInMediaType } from './filename.ts';

// docs/protocol/uploads.md#names-of-files

test.each(['a', '.', '..', 'CON', ' ', 'a"b', "it's 100%.txt", '__proto__', 'a\u2028b', '😀'.repeat(255)])(
  '%j is a name of a file',
  (name) => {
    expect(isFilename(name)).toBe(true);
  },
);

const FORBIDDEN = [
  ...['\0', '\r', '\n', '\t', '\u001f', '\u007f', '\u0085', '\u009f'],
  ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  ...['\u2066', '\u2067', '\u2068', '\u2069', '/', '\\', '\ud800', '\udc00'],
];

test.each(FORBIDDEN)('no name of a file has %j', (character) => {
  for (const name of [character, `a${character}`, `${character}a`, `a${character}b`])
    expect(isFilename(name)).toBe(false);
});

test('a name has 1 to 255 characters, however many bytes they take', () => {
  expect(isFilename('')).toBe(false);
  for (const character of ['a', 'é', '漢', '😀']) {
    expect(isFilename(character.repeat(255))).toBe(true);
    expect(isFilename(character.repeat(256))).toBe(false);
  }
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['r%C3%A9sum%c3%a9.pdf', 'résumé.pdf'],
  ['%2e%2E', '..'],
  ['a+b', 'a+b'],
  ['', undefined],
  ['%', undefined],
  ['%zz', undefined],
  ['%ff', undefined],
  ['%C3', undefined],
  ['%ED%A0%80', undefined],
  ['a%2Fb', undefined],
  ['a%5Cb', undefined],
  ['a%00', undefined],
  ['a%0D%0Ab', undefined],
  ['%E2%80%AE', undefined],
  ['résumé.pdf', undefined],
  ['a'.repeat(256), undefined],
])('the header %j names %j', (header, name) => {
  expect(decodeFilename(header)).toBe(name);
});

test('every name survives percent-encoding', () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter(isFilename);
  fc.assert(fc.property(names, (name) => expect(decodeFilename(encodeURIComponent(name))).toBe(name)));
});

test.each([
  ['application/pdf', undefined],
  ['application/pdf; name=report.pdf', 'report.pdf'],
  ['application/pdf;NAME = "my report.pdf" ; charset=x', 'my report.pdf'],
  ['application/pdf; a="; name=x"; name=y', 'y'],
  ['application/pdf; a="\\"; name=x"; name="a \\"b\\".txt"', 'a "b".txt'],
  ['application/pdf; filename=x; surname=z', undefined],
  ['application/pdf; name', undefined],
  ['application/pdf; name=', undefined],
  ['application/pdf; name="', undefined],
  ['application/pdf; name="a', 'a'],
  ['application/pdf; name="a\\', 'a'],
  ['application/pdf; name="../x"; name=y', undefined],
  ['application/pdf; name="\u202egpj.exe"', undefined],
  [`application/pdf; name="${'a'.repeat(256)}"`, undefined],
  [`a/b${';'.repeat(1000)}name=x`, 'x'],
])('the media type %j names %j', (mediaType, name) => {
  expect(nameInMediaType(mediaType)).toBe(name);
});

test('no text is too much for it', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void nameInMediaType(`a/b;${text}`)));
});
