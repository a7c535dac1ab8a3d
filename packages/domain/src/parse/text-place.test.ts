import { placeIn } from './text-place.ts';

test.each([
  ['abc', 0, 1, 1],
  ['abc', 3, 1, 4],
  ['a\nb', 1, 1, 2],
  ['a\nb', 2, 2, 1],
  ['a\r\nb', 3, 2, 1],
  ['a\rb', 2, 2, 1],
  ['a\r\n\r\n\nb', 6, 4, 1],
  ['😀b', 2, 1, 3],
])('in %j the index %d is line %d, column %d', (text, index, line, column) => {
  expect(placeIn(text, index)).toEqual({ line, column });
});
