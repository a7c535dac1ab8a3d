import fc from 'fast-check';
import { foldText, searchedBeginning, searchedTexts } from './user-search.ts';

test.each([
  ['Ada', 'ada'],
  ['ÉLODIE', 'elodie'],
  ['Straße', 'strasse'],
  ['Søren Łukasz', 'soren lukasz'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ﬁn', 'fin'],
  ['Ｗｉｄｅ', 'wide'],
])('%s is found by %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('folded text stays as it is when it is folded again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
    }),
    { numRuns: 2_000 },
  );
});

function isFound(query: string, user: { userId: string; displayName?: string }): boolean {
  const beginning = searchedBeginning(query);
  return beginning !== '' && searchedTexts(user).some((text) => text.startsWith(beginning));
}

const ADA = { userId: 'ada.lovelace@example.com', displayName: 'Ada “Countess” O’Lovelace-King' };

test.each([
  'a',
  'ADA',
  'ada c',
  'countess',
  'o’love',
  "o'love",
  'king',
  ' king ',
  'ada.love',
  'ada lovelace@ex',
])('a user is found by the beginning of a word: %s', (query) => {
  expect(isFound(query, ADA)).toBe(true);
});

test.each(['da', 'ada king', 'example', 'com', '  ', '́', 'kingdom'])(
  'a user is not found by another text: %s',
  (query) => {
    expect(isFound(query, ADA)).toBe(false);
  },
);

test('a user without a name is found by the user id, one of signs alone too', () => {
  expect(searchedTexts({ userId: 'Bob' })).toEqual(['bob']);
  expect(isFound('--', { userId: '---' })).toBe(true);
  expect(isFound('🦊', { userId: 'x', displayName: '🦊 Fox' })).toBe(true);
});

test('a text longer than what is kept is found by its beginning', () => {
  const displayName = 'x'.repeat(100);
  expect(isFound(displayName, { userId: 'u', displayName })).toBe(true);
  expect(isFound('ﷺ'.repeat(64), { userId: 'u', displayName: 'ﷺ'.repeat(64) })).toBe(true);
  expect(isFound(`${'y'.repeat(63)} z`, { userId: 'u', displayName: `${'y'.repeat(63)} zoe` })).toBe(true);
});

test('every word of a name, and nothing else, is found', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 128 }),
      fc.string({ minLength: 1, maxLength: 256 }),
      (displayName, userId) => {
        const texts = searchedTexts({ userId, displayName });
        expect(new Set(texts).size).toBe(texts.length);
        for (const text of texts) expect(searchedBeginning(text)).toBe(text);
      },
    ),
    { numRuns: 1_000 },
  );
});
