const ONSETS = 'b ch d f g h j k l m n p r s st t tr v w z é ö'.split(' ');
const RIMES = 'a an ar e el en er i in is o on or u un ay'.split(' ');

/** Makes names of which some are common and many are rare, and beginnings of their words as users type them. */
export function createNames(seed: number): { full(): string; beginning(): string } {
  let state = seed >>> 0 || 1;
  function below(limit: number): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  }
  // The first words of a list are the most common ones.
  function pick(words: readonly string[]): string {
    return words[Math.min(below(words.length), below(words.length), below(words.length))] ?? '';
  }
  function word(): string {
    const syllables = Array.from({ length: 2 + below(2) }, () => pick(ONSETS) + pick(RIMES)).join('');
    return syllables.charAt(0).toUpperCase() + syllables.slice(1);
  }
  const first = Array.from({ length: 2_000 }, word);
  const last = Array.from({ length: 50_000 }, word);
  return {
    full: () => `${pick(first)} ${pick(last)}`,
    beginning() {
      const name = below(2) === 0 ? pick(first) : pick(last);
      return name.slice(0, 1 + below(name.length));
    },
  };
}
