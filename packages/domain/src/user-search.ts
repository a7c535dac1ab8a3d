import { limits } from '@parley/contract/limits';

/** Letters that Unicode does not take apart, and what they are found by. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ς: 'σ',
};
const PLAIN = /[æœøłđðħŧþς]/gu;
const MARKS = /\p{M}+/gu;
/** Runs of characters that stand between words. */
const GAPS = /[^\p{L}\p{N}\p{So}]+/gu;

/** Text without case and accents, by which names are compared. The data of identity's table `identity_word` are made by it. */
export function foldText(text: string): string {
  const plain = withoutMarks(text).toUpperCase().toLowerCase();
  return withoutMarks(plain).replace(PLAIN, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '');
}

/** Folded words with one space between them; a text without any letter or number is folded alone. */
function foldWords(text: string): string {
  const folded = foldText(text);
  return folded.replace(GAPS, ' ').trim() || folded.trim();
}

/** The texts by whose beginnings a user is found: the display name from each of its words on, and the user id. */
export function searchedTexts({ userId, displayName }: { userId: string; displayName?: string }): string[] {
  const name = foldWords(displayName ?? '');
  const texts = new Set([cut(foldWords(userId))]);
  for (let start = 0; start >= 0; start = name.indexOf(' ', start) + 1 || -1)
    texts.add(cut(name.slice(start)));
  texts.delete('');
  return [...texts].sort();
}

/** The folded text with which a found word begins. Empty: the search finds nobody. */
export function searchedBeginning(query: string): string {
  return cut(foldWords(query));
}

// Words and queries are cut at the same length, so that a query longer than a stored word still finds it.
function cut(text: string): string {
  return [...text.slice(0, 2 * limits.userSearch)].slice(0, limits.userSearch).join('').trimEnd();
}
