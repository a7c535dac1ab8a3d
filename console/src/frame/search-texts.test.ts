import { texts } from './search-texts.ts';

test.each([
  [
    { q: 'ada', view: 'table', other: 'x' },
    { q: 'ada', view: 'table' },
  ],
  [{ q: 7 }, { q: '7' }],
  [{ q: ['ada'], view: null }, {}],
  [{ q: '' }, { q: '' }],
  [{}, {}],
])('of %j a page with the texts q and view keeps %j', (search, kept) => {
  expect(texts('q', 'view')(search)).toEqual(kept);
});

test('a name of every object is a text only where the address has it', () => {
  expect(texts('constructor')({})).toEqual({});
});
