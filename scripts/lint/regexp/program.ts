import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** One step of the matcher; `to` and `or` are places of the program. */
export type Instruction =
  | { op: 'character'; accepts: (character: string) => boolean }
  /** Goes on at `to`, and at `or` if that fails. */
  | { op: 'split'; to: number; or: number }
  | { op: 'jump'; to: number }
  | { op: 'assert'; holds: (text: string, at: number) => boolean }
  | { op: 'look'; body: Program; negate: boolean }
  /** An iteration of a loop begins, and ends: one that has matched nothing fails. */
  | { op: 'enter'; loop: number }
  | { op: 'leave'; loop: number }
  | { op: 'match' };

export type Program = readonly Instruction[];

/** Character sets of an expression, by which characters are told apart. */
export type Compiled = {
  program: Program;
  sets: readonly ((character: string) => boolean)[];
  words: readonly string[];
};

/** Repetitions are written out up to this number. */
const MOST_COPIES = 40;

/** Compiles an expression for a matcher that tries alternatives in their order, as those of JavaScript do. */
export function compile(source: string, flags: string): Compiled {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
  const compiler = new Compiler(flags.replace(/[gy]/g, ''));
  compiler.alternatives(pattern.alternatives);
  compiler.program.push({ op: 'match' });
  return { program: compiler.program, sets: [...compiler.sets.values()], words: [...compiler.words] };
}

class Compiler {
  program: Instruction[] = [];
  readonly sets: Map<string, (character: string) => boolean>;
  /** Texts of single characters in a row. */
  readonly words: Set<string>;
  readonly #flags: string;
  #loops = 0;

  constructor(
    flags: string,
    { sets, words }: Pick<Compiler, 'sets' | 'words'> = { sets: new Map(), words: new Set() },
  ) {
    this.#flags = flags;
    this.sets = sets;
    this.words = words;
  }

  alternatives(alternatives: readonly AST.Alternative[]): void {
    const ends: number[] = [];
    for (const [index, alternative] of alternatives.entries()) {
      const split = this.program.length;
      if (index < alternatives.length - 1) this.program.push({ op: 'split', to: split + 1, or: 0 });
      this.#noteWords(alternative);
      for (const element of alternative.elements) this.#element(element);
      if (index === alternatives.length - 1) break;
      ends.push(this.program.length);
      this.program.push({ op: 'jump', to: 0 });
      this.program[split] = { op: 'split', to: split + 1, or: this.program.length };
    }
    for (const end of ends) this.program[end] = { op: 'jump', to: this.program.length };
  }

  #noteWords({ elements }: AST.Alternative): void {
    let word = '';
    for (const element of [...elements, undefined]) {
      if (element?.type === 'Character') word += String.fromCodePoint(element.value);
      else {
        if (word.length > 1) this.words.add(word);
        word = '';
      }
    }
  }

  #element(element: AST.Element): void {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives);
      case 'Quantifier':
        return this.#quantifier(element);
      case 'Assertion':
        return this.#assertion(element);
      case 'Backreference':
        return;
      default:
        return this.#set(element.raw);
    }
  }

  #set(raw: string): void {
    const known = this.sets.get(raw);
    const accepts = known ?? memoized(new RegExp(`^(?:${raw})$`, this.#flags.replace('m', '')));
    this.sets.set(raw, accepts);
    this.program.push({ op: 'character', accepts });
  }

  #quantifier({ min, max, greedy, element }: AST.Quantifier): void {
    const isUnbounded = max - min > MOST_COPIES;
    for (let copy = 0; copy < Math.min(min, MOST_COPIES); copy += 1) this.#element(element);
    if (isUnbounded) return this.#loop(element, greedy);
    const splits: number[] = [];
    for (let copy = min; copy < max; copy += 1) {
      splits.push(this.program.length);
      this.program.push({ op: 'jump', to: 0 });
      this.#element(element);
    }
    for (const split of splits) this.#split(split, this.program.length, greedy);
  }

  #loop(element: AST.Element, greedy: boolean): void {
    const loop = (this.#loops += 1);
    const split = this.program.length;
    this.program.push({ op: 'jump', to: 0 }, { op: 'enter', loop });
    this.#element(element);
    this.program.push({ op: 'leave', loop }, { op: 'jump', to: split });
    this.#split(split, this.program.length, greedy);
  }

  #split(at: number, after: number, greedy: boolean): void {
    this.program[at] = greedy
      ? { op: 'split', to: at + 1, or: after }
      : { op: 'split', to: after, or: at + 1 };
  }

  #assertion(assertion: AST.Assertion): void {
    if (assertion.kind !== 'lookahead') {
      const expression = new RegExp(assertion.raw, `${this.#flags}y`);
      const holds = (text: string, at: number) => {
        expression.lastIndex = at;
        return expression.test(text);
      };
      return void this.program.push({ op: 'assert', holds });
    }
    const inner = new Compiler(this.#flags, this);
    inner.alternatives(assertion.alternatives);
    this.program.push({ op: 'look', body: [...inner.program, { op: 'match' }], negate: assertion.negate });
  }
}

function memoized(expression: RegExp): (character: string) => boolean {
  const known = new Map<string, boolean>();
  return (character) => {
    let accepts = known.get(character);
    if (accepts === undefined) known.set(character, (accepts = expression.test(character)));
    return accepts;
  };
}
