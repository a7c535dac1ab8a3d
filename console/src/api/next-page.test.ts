import { nextPageOf } from './next-page.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `svc:///items/${index}` }));
const link = '<https://chat.example/conversations?page_size=100&from_id=x&cursor=a%2Bb>; rel="next"';
const last = '&from_id=svc%3A%2F%2F%2Fitems%2F99';

test.each([
  ['a page that is not full', 99, link, undefined],
  ['a full page', 100, null, last],
  ['one of a list that moves', 100, link, `${last}&cursor=a%2Bb`],
  ['one whose link has no cursor', 100, '<https://chat.example/users?from_id=x>; rel="next"', last],
])('behind %s', (_, count, header, next) => {
  expect(nextPageOf(rows(count), header)).toBe(next);
});
