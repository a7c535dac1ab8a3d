import { attacksOn, textOf, type Attack } from './attacks.ts';
import { countSteps } from './count-steps.ts';
import { compile, type Program } from './program.ts';

export type Expression = {
  source: string;
  flags: string;
  /** Whether it is used to find all matches, as by `split`. Expressions with the flags `g` and `y` always are. */
  isRepeated?: boolean | undefined;
};

const SHORT = 48;
/** Steps for each character of a short text, from which on a longer one is tried. */
const MANY = 12;
const LENGTHS = [256, 1_024] as const;
/** A text of four times the length takes four times the steps; of a quadratic expression sixteen times. */
const MOST_GROWTH = 7;
const MOST_STEPS = 2_000_000;

/**
 * A text on which an expression takes more steps than in proportion to its length, because it tries the same characters again and again.
 * Undefined: none was found.
 */
export function findAttack({
  source,
  flags,
  isRepeated = /[gy]/.test(flags),
}: Expression): Attack | undefined {
  const compiled = compile(source, flags);
  const options = { isRepeated, most: MOST_STEPS };
  const stepsOf = (attack: Attack, length: number) => countSteps(compiled, textOf(attack, length), options);
  if (!hasLoop(compiled.program)) return undefined;
  return attacksOn(compiled).find((attack) => {
    if (stepsOf(attack, SHORT) < MANY * SHORT) return false;
    const [shorter = 0, longer = 0] = LENGTHS.map((length) => stepsOf(attack, length));
    return longer >= MOST_STEPS || longer > MOST_GROWTH * shorter;
  });
}

function hasLoop(program: Program): boolean {
  return program.some((one) => one.op === 'enter' || (one.op === 'look' && hasLoop(one.body)));
}

/** The attacks that take the most steps for their length, whether that grows or not; none on an expression without a repetition. */
export function worstAttacks({ source, flags, isRepeated = true }: Expression, count: number): Attack[] {
  const compiled = compile(source, flags);
  if (!hasLoop(compiled.program)) return [];
  return attacksOn(compiled)
    .map((attack) => ({
      attack,
      steps: countSteps(compiled, textOf(attack, SHORT), { isRepeated, most: MOST_STEPS }),
    }))
    .sort((a, b) => b.steps - a.steps)
    .slice(0, count)
    .map(({ attack }) => attack);
}
