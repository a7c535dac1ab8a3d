import { cursorOf } from './cursor.ts';

const next = '<https://chat.example/conversations?page_size=1&from_id=x&cursor=a%2Bb>; rel="next"';

test.each([
  [next, 'a+b'],
  [next.replaceAll('"', ''), 'a+b'],
  [`<https://chat.example/other?cursor=no>; rel="prev", ${next}`, 'a+b'],
  ['<https://chat.example/other?cursor=no>; rel="nextish"', undefined],
  ['<https://chat.example/conversations?from_id=x>; rel="next"', undefined],
  ['', undefined],
])('the next page of %s begins at %s', (link, cursor) => {
  expect(cursorOf(link)).toBe(cursor);
});
