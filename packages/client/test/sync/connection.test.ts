import { triesAfter } from '../../src/sync/connection.ts';

test.each([
  ['a failed connection', { code: 1006, wasLive: false }, 4],
  ['one that broke once it was online', { code: 1006, wasLive: true }, 0],
  ['one that was replaced', { code: 1012, wasLive: true }, 0],
  ['one that was closed for too many packets', { code: 4429, wasLive: true }, 4],
])('after %s the wait grows, or begins anew', (_, end, expected) => {
  expect(triesAfter(3, end)).toBe(expected);
});
