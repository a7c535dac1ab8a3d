import { countCame, goAway, noteUnread } from './away.ts';

test.each([
  ['nothing happens', [0, 0], 0],
  ['a message comes', [0, 1], 1],
  ['a message comes and is read', [0, 1, 0], 1],
  ['an earlier message is read, and one comes', [1, 0, 1], 1],
  ['a message comes, and is read together with an earlier one', [1, 2, 0], 1],
  ['three come in two steps, and are read', [0, 1, 3, 0], 3],
  ['one comes after another was read together with an earlier one', [1, 2, 0, 1], 2],
  ['earlier ones are read one by one', [3, 2, 1], 0],
])('%s', (_, [first = 0, ...unread], came) => {
  expect(countCame(unread.reduce(noteUnread, goAway(first)))).toBe(came);
});
