import { limits } from '@parley/contract/limits';
import { failureOf } from '@parley/domain/testing/failure';
import { newGaps, takeGap } from './gaps.ts';

test('the positions that messages leave out have a limit, however large they are', () => {
  const gaps = newGaps();
  takeGap(gaps, { from: 10, positions: [11, 12, 14] });
  expect(gaps.left).toBe(limits.importedGaps - 1);
  takeGap(gaps, { from: 0, positions: [limits.importedGaps] });
  expect(gaps.left).toBe(0);
  expect(failureOf(() => takeGap(gaps, { from: 0, positions: [2] }))).toBe('invalid_property position');
  const far = () => takeGap(newGaps(), { from: 0, positions: [Number.MAX_SAFE_INTEGER] });
  expect(failureOf(far)).toBe('invalid_property position');
});
