import type { Compiled } from './program.ts';

/** A text that is repeated, and what stands before and behind the repetitions. */
export type Attack = { before: string; pump: string; after: string };

const CANDIDATES = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(126 - index)),
  ...['\n', '\t', '\0', 'é', '\u2028'],
];
/** How many different characters are tried in pairs. The others are tried as parts of a word only. */
const MOST_PAIRED = 12;

/** Texts on which an expression could take long: repeated characters of each kind that it tells apart, and its own words. */
export function attacksOn({ sets, words }: Compiled): Attack[] {
  const kinds = new Map<string, string>();
  for (const candidate of CANDIDATES) {
    const signature = sets.map((accepts) => (accepts(candidate) ? 1 : 0)).join('');
    kinds.set(signature, candidate);
  }
  const foreign = kinds.get('0'.repeat(sets.length));
  const characters = [...kinds.values()].filter(
    (character) => !words.some((word) => word.includes(character)),
  );
  const units = [...words, ...characters, ...(characters.length < kinds.size ? [...kinds.values()] : [])];
  const distinct = [...new Set(units)];
  const paired = distinct.slice(0, MOST_PAIRED);
  const pumps = new Set([
    ...distinct,
    ...paired.flatMap((first) => paired.filter((second) => second !== first).map((second) => first + second)),
  ]);
  const befores = ['', ...paired];
  const afters = new Set(['', foreign ?? '\0', ...paired.slice(0, MOST_PAIRED / 2)]);
  return [...pumps].flatMap((pump) =>
    befores.flatMap((before) => [...afters].map((after) => ({ before, pump, after }))),
  );
}

/** The text of an attack, of about so many characters. */
export function textOf({ before, pump, after }: Attack, length: number): string {
  return before + pump.repeat(Math.ceil(length / pump.length)) + after;
}
