import { fairShare } from './fair-share.ts';

test('each application takes at most half of what the other applications leave, and at least one while any is free', () => {
  let free = 24;
  const taken: number[] = [];
  while (free > 0) {
    let own = 0;
    while (fairShare(free, own) > 0) {
      own += 1;
      free -= 1;
    }
    taken.push(own);
  }
  expect(taken).toEqual([12, 6, 3, 1, 1, 1]);
  expect(fairShare(0, 0)).toBe(0);
  expect(fairShare(-3, 0)).toBe(0);
});

test('capacity that becomes free later may go to applications that already have some', () => {
  expect(fairShare(12, 12)).toBe(0);
  expect(fairShare(16, 8)).toBe(4);
});
