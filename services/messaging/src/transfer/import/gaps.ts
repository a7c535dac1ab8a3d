import { limits } from '@parley/contract/limits';
import { fail } from '@parley/domain/problems';

/** How many positions without a message a call may still have. */
export type Gaps = { left: number };

export function newGaps(): Gaps {
  return { left: limits.importedGaps };
}

/**
 * Takes the positions without a message among ascending ones after `from`. Each of them is a deleted message, which costs as much as one
 * that is there, although the request holds nothing of it. Problem: invalid_property (position).
 */
export function takeGap(
  gaps: Gaps,
  { from, positions }: { from: number; positions: readonly number[] },
): void {
  gaps.left -= (positions.at(-1) ?? from) - from - positions.length;
  if (gaps.left >= 0) return;
  fail('invalid_property', {
    property: 'position',
    message: `The messages of a call may leave out at most ${limits.importedGaps} positions.`,
  });
}
