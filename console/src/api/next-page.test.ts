import { nextPageOf, startOf } from './next-page.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `svc:///items/${index}` }));
const link = '<https://chat.example/conversations?page_size=100&from_id=x&cursor=a%2Bb>; rel="next"';
const fromId = 'svc:///items/99';

test.each([
  ['a full page', null, { fromId }],
  ['one of a list that moves', link, { fromId, cursor: 'a+b' }],
  ['one whose link has no cursor', '<https://chat.example/users?from_id=x>; rel="next"', { fromId }],
])('behind %s', (_, header, start) => {
  expect(startOf(nextPageOf(rows(100), header) ?? '')).toEqual(start);
});

test('a page that is not full is the last', () => {
  expect(nextPageOf(rows(99), link)).toBeUndefined();
  expect(nextPageOf([], null)).toBeUndefined();
});

test('the first page begins nowhere', () => {
  expect(startOf('')).toEqual({});
});

test('an id is taken whole, whatever it has in it', () => {
  const odd = [...rows(99), { id: '&cursor=x' }];
  expect(startOf(nextPageOf(odd, null) ?? '')).toEqual({ fromId: '&cursor=x' });
});
