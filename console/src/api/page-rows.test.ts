import { knownRows, rowAt, startsNear, startsWith, type StartOfPage } from './page-rows.ts';

/** Rows that are their own index. */
function pageOf(index: number, count: number, next: string | undefined) {
  return { rows: Array.from({ length: count }, (_, at) => index + at), next, count: undefined };
}

const FIRST: StartOfPage = { from: '', index: 0 };
const SECOND: StartOfPage = { from: 'b', index: 100 };
const THIRD: StartOfPage = { from: 'c', index: 200 };

test('the end of a page is the beginning of the next one', () => {
  const starts = startsWith([FIRST], [{ start: FIRST, page: pageOf(0, 100, 'b') }]);
  expect(starts).toEqual([FIRST, SECOND]);
});

test('a page that says nothing new leaves the list as it is', () => {
  const starts = [FIRST, SECOND];
  const pages = [
    { start: FIRST, page: pageOf(0, 100, 'b') },
    { start: SECOND, page: undefined },
  ];
  expect(startsWith(starts, pages)).toBe(starts);
});

test('behind a page whose end has moved, the others are read anew', () => {
  const pages = [{ start: FIRST, page: pageOf(0, 99, 'a') }];
  expect(startsWith([FIRST, SECOND, THIRD], pages)).toEqual([FIRST, { from: 'a', index: 99 }]);
});

test('a page that became the last one ends the list', () => {
  expect(startsWith([FIRST, SECOND], [{ start: FIRST, page: pageOf(0, 40, undefined) }])).toEqual([FIRST]);
});

test.each([
  [{ first: 0, last: 20 }, [FIRST]],
  [{ first: 20, last: 40 }, [FIRST, SECOND]],
  [{ first: 150, last: 170 }, [FIRST, SECOND, THIRD]],
  [{ first: 180, last: 200 }, [SECOND, THIRD]],
  [{ first: 260, last: 280 }, [THIRD]],
])('the pages near %j are at hand', (range, near) => {
  expect(startsNear([FIRST, SECOND, THIRD], range)).toEqual(near);
});

test('rows are known up to the end of the last page, once it is read', () => {
  const first = { start: FIRST, page: pageOf(0, 100, 'b') };
  expect(knownRows([FIRST, SECOND], [first, { start: SECOND, page: undefined }])).toBe(100);
  expect(knownRows([FIRST, SECOND], [first, { start: SECOND, page: pageOf(100, 7, undefined) }])).toBe(107);
});

test('a row is found by its index, unless its page is not at hand', () => {
  const pages = [
    { start: FIRST, page: undefined },
    { start: SECOND, page: pageOf(100, 100, 'c') },
  ];
  expect([rowAt(pages, 99), rowAt(pages, 100), rowAt(pages, 199), rowAt(pages, 200)]).toEqual([
    undefined,
    100,
    199,
    undefined,
  ]);
});
