import { describeSize, shareCopied } from './sizes.ts';

test.each<[number | undefined, string]>([
  [undefined, 'unknown'],
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_536, '1.5 KiB'],
  [470 * 1_048_576, '470 MiB'],
  [1_250 * 1024 ** 4, '1250 TiB'],
])('a size of %s is shown as %s', (bytes, expected) => {
  expect(describeSize(bytes)).toBe(expected);
});

test('a move shows how much is copied once that is known, and never more than all', () => {
  expect(shareCopied({ copiedByteCount: 0, totalByteCount: 0 })).toBeUndefined();
  expect(shareCopied({ copiedByteCount: 1, totalByteCount: 3 })).toBe(33);
  expect(shareCopied({ copiedByteCount: 9, totalByteCount: 3 })).toBe(100);
});
