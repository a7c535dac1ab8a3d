import { commentLines, sample } from './sample.ts';

const source = `
// A comment of several words.
// short one
const a = 1; // beside code, which is left out
/** A doc comment in one line. */
/**
 * The first line of a longer one,
 * and its second line follows.
 */
const product = a
  * 2 * 3 * 4;
// eslint-disable-next-line some-rule for a reason
`;

test('lines of comments and of doc comments are found with their places', () => {
  expect(commentLines('a.ts', source).map(({ line, text }) => [line, text])).toEqual([
    [2, 'A comment of several words.'],
    [5, 'A doc comment in one line.'],
    [7, 'The first line of a longer one,'],
    [8, 'and its second line follows.'],
  ]);
});

test('a seed gives the same sample again, another seed another one, and no line twice', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  const first = sample(items, 200, 7);
  expect(sample(items, 200, 7)).toEqual(first);
  expect(sample(items, 200, 8)).not.toEqual(first);
  expect(new Set(first).size).toBe(200);
  expect(sample(items, 2_000, 7)).toHaveLength(1_000);
});
