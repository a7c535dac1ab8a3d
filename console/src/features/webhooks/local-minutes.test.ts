import fc from 'fast-check';
import { localMinutes } from './local-minutes.ts';

const MINUTE_MS = 60_000;

test('a field that shows a time gives that time back, to the minute', () => {
  const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(times, (time) => {
      const text = localMinutes(time);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
      expect(new Date(text).getTime()).toBe(time - (time % MINUTE_MS));
    }),
  );
});
