import fc from 'fast-check';
import { isoTime, isoTimeOrNull, parseTime } from './time.ts';

test('is UTC with milliseconds', () => {
  expect(isoTime(Date.UTC(2026, 10, 20, 20, 15, 30, 123))).toBe('2026-11-20T20:15:30.123Z');
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoTimeOrNull(undefined)).toBeNull();
});

test('every time is written as the language does, and read back', () => {
  const time = fc.integer({ min: -10_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(time, fc.nat(120_000), (ms, later) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
      expect(isoTime(ms + later)).toBe(new Date(ms + later).toISOString());
      expect(parseTime(isoTime(ms))).toBe(ms);
    }),
  );
});

test('a part of a millisecond is dropped', () => {
  expect(isoTime(1234.9)).toBe('1970-01-01T00:00:01.234Z');
});

test.each([
  ['2026-11-20T20:15:30Z', 0],
  ['2026-11-20T21:15:30.5+01:00', 500],
  ['2026-11-20t20:15:30,123456z', 123],
])('%s is a time', (text, millis) => {
  expect(parseTime(text)).toBe(Date.UTC(2026, 10, 20, 20, 15, 30, millis));
});

test.each(['', '2026-11-20', '2026-11-20T20:15:30', '2026-13-20T20:15:30Z', '20 Nov 2026 20:15Z', '1'])(
  '%j is none',
  (text) => {
    expect(parseTime(text)).toBeUndefined();
  },
);
