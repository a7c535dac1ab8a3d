/** A line of a comment, with the place where it stands. */
export type CommentLine = { file: string; line: number; text: string };

/** Lines with fewer words say nothing alone: ends of sentences, marks of sections. */
const FEWEST_WORDS = 4;
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*?)(?:\s*\*\/)?$/;
const DIRECTIVE = /^(?:eslint|prettier|@ts-|@type|@param|@returns|@jest|#region|#endregion)/;

/** Lines of a source that are comments, or parts of doc comments, with at least four words. Comments beside code are left out. */
export function commentLines(file: string, source: string): CommentLine[] {
  let isInside = false;
  return source.split('\n').flatMap((whole, index) => {
    const begins = /^\s*\/\*/.test(whole);
    const isComment = begins || /^\s*\/\//.test(whole) || (isInside && /^\s*\*/.test(whole));
    isInside = (begins || isInside) && !whole.includes('*/');
    const text = isComment ? (COMMENT.exec(whole)?.[1]?.trim() ?? '') : '';
    const isProse = text.split(/\s+/).length >= FEWEST_WORDS && !DIRECTIVE.test(text);
    return isProse ? [{ file, line: index + 1, text }] : [];
  });
}

/** Picks `count` items at random, each at most once; the same for the same seed. */
export function sample<T>(items: readonly T[], count: number, seed: number): T[] {
  const left = [...items];
  const random = randomFrom(seed);
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  return chosen;
}

/** Numbers from 0 up to 1 by the generator mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
