import { create } from '@bufbuild/protobuf';
import { PartSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import fc from 'fast-check';
import { limits } from '@parley/contract/limits';
import { fitsBytes, fitsMessage, isBase64, isMimeType } from './parts.ts';

test('base64 of any bytes is base64', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => isBase64(Buffer.from(bytes).toString('base64'))));
});

test('what is base64 decodes to bytes that encode to as much', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('A', 'b', '9', '+', '/', '=', '-', '\n', 'é') }),
      (text) => {
        const isCanonicalLength = Buffer.from(text, 'base64').toString('base64').length === text.length;
        const isPlain = /^[A-Za-z0-9+/]*=*$/.test(text);
        expect(isBase64(text)).toBe(isCanonicalLength && isPlain);
      },
    ),
  );
});

test.each(['a', 'ab', 'abc', '====', 'a===', 'ab=c', 'ab-_', 'abcd\n', 'ab cd==='])(
  '%j is not base64',
  (text) => {
    expect(isBase64(text)).toBe(false);
  },
);

test('a long text is judged at once', () => {
  const started = performance.now();
  isBase64(`${'A'.repeat(1_000_000)}!AAA`);
  isMimeType('a'.repeat(1_000_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each([
  'text/plain',
  'text/plain; charset=utf-8',
  'application/vnd.svc+json;a="ü;b"',
  'image/svg+xml ;x',
])('%s is a media type', (text) => expect(isMimeType(text)).toBe(true));

test.each([
  '',
  'text',
  'text/',
  '/plain',
  'text/plain\n',
  'text/pl ain',
  'text/plain;\0',
  'text/plain;\ud800',
])('%j is not', (text) => expect(isMimeType(text)).toBe(false));

test('bytes are counted as UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (text, max) => {
      expect(fitsBytes(text, max)).toBe(new TextEncoder().encode(text).length <= max);
    }),
  );
});

test('parts of any size that an app may allow are too much for a message together, however few', () => {
  const part = create(PartSchema, { mimeType: 'text/plain', body: 'a'.repeat(limits.maxInlineBodyBytes) });
  const most = Math.floor(limits.messageBytes / limits.maxInlineBodyBytes);
  expect(fitsMessage(new Array(most).fill(part))).toBe(true);
  expect(fitsMessage(new Array(most + 1).fill(part))).toBe(false);
});
