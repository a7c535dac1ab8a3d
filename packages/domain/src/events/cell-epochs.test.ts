import { isAnotherEpoch, joinEpochs, splitEpochs } from './cell-epochs.ts';

test('the epochs of cells are joined and split again, one is itself', () => {
  expect(splitEpochs(joinEpochs(['a', 'b', 'c']))).toEqual(['a', 'b', 'c']);
  expect(joinEpochs(['a'])).toBe('a');
});

test.each([
  ['a', 'a', false],
  ['a', 'b', true],
  ['a b', 'a c', true],
  ['a b', 'c b', true],
  ['a', 'a b', false],
  ['a b', 'a', false],
  ['a b', 'b', true],
])('from "%s" to "%s" is another epoch: %s', (before, after, expected) => {
  expect(isAnotherEpoch(before, after)).toBe(expected);
});
