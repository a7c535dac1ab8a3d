import type { Compiled, Program } from './program.ts';

/** The work that is done once the present try has failed. */
type Saved = { place: number; at: number } | { loop: number; from: number | undefined };

/** Whether it matched from `from`, where it ended, and the steps that took. */
type Tried = { end: number | undefined; steps: number };

type Options = {
  /** All matches are looked for, one after the other. */
  isRepeated: boolean;
  /** Steps after which it gives up. */
  most: number;
};

/** The steps of a backtracking matcher that looks for an expression in a text. */
export function countSteps({ program }: Compiled, text: string, { isRepeated, most }: Options): number {
  let steps = 0;
  for (let from = 0; from <= text.length && steps < most;) {
    const { end, steps: taken } = tryAt(program, text, { from, most: most - steps });
    steps += taken;
    if (end !== undefined && !isRepeated) break;
    from = end === undefined || end === from ? from + 1 : end;
  }
  return steps;
}

function tryAt(program: Program, text: string, { from, most }: { from: number; most: number }): Tried {
  const saved: Saved[] = [];
  const begun = new Map<number, number | undefined>();
  let [place, at, steps] = [0, from, 0];
  while (steps < most) {
    steps += 1;
    const instruction = program[place];
    let holds = true;
    place += 1;
    switch (instruction?.op) {
      case 'character':
        holds = at < text.length && instruction.accepts(text[at] ?? '');
        at += 1;
        break;
      case 'split':
        saved.push({ place: instruction.or, at });
        place = instruction.to;
        break;
      case 'jump':
        place = instruction.to;
        break;
      case 'assert':
        holds = instruction.holds(text, at);
        break;
      case 'look': {
        const looked = tryAt(instruction.body, text, { from: at, most: most - steps });
        steps += looked.steps;
        holds = (looked.end !== undefined) !== instruction.negate;
        break;
      }
      case 'enter':
        saved.push({ loop: instruction.loop, from: begun.get(instruction.loop) });
        begun.set(instruction.loop, at);
        break;
      case 'leave':
        holds = begun.get(instruction.loop) !== at;
        break;
      default:
        return { end: at, steps };
    }
    if (holds) continue;
    const next = backtrack(saved, begun);
    if (!next) return { end: undefined, steps };
    ({ place, at } = next);
  }
  return { end: undefined, steps };
}

function backtrack(saved: Saved[], begun: Map<number, number | undefined>) {
  for (let last = saved.pop(); last; last = saved.pop()) {
    if ('place' in last) return last;
    begun.set(last.loop, last.from);
  }
  return undefined;
}
