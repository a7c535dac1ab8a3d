import { chooseMergers, type Milestone } from './milestones.ts';

const WEEK_MS = 7 * 24 * 3600_000;
const of = (...seconds: number[]): Milestone[] =>
  seconds.map((age, index) => ({ seq: 1000 - index, ageMs: age * 1000 }));

/** The remaining ages, in seconds. */
function kept(milestones: readonly Milestone[]): number[] {
  const gone = new Set(chooseMergers(milestones, WEEK_MS).map(({ seq }) => seq));
  return milestones.filter(({ seq }) => !gone.has(seq)).map(({ ageMs }) => ageMs / 1000);
}

test('the latest milestone is kept, and of those whose ages are alike the oldest', () => {
  expect(kept(of(0))).toEqual([0]);
  expect(kept(of(0, 1, 2, 3))).toEqual([0, 3]);
  expect(kept(of(0, 6, 8, 12, 15, 19, 21))).toEqual([0, 8, 19, 21]);
});

test('a milestone that goes hands its events over to the next one that is kept', () => {
  expect(chooseMergers(of(0, 1, 12), WEEK_MS)).toEqual([]);
  expect(chooseMergers(of(0, 6, 7, 8), WEEK_MS)).toEqual([
    { seq: 999, into: 1000 },
    { seq: 998, into: 1000 },
  ]);
});

test('a milestone goes when the stream keeps none that is so old', () => {
  expect(chooseMergers(of(0, 8 * 24 * 3600), WEEK_MS)).toEqual([{ seq: 999, into: undefined }]);
});

test('after a week of one milestone every five seconds some twenty are left, each at most twice as old as the next', () => {
  let milestones: Milestone[] = [];
  for (let seq = 1; seq <= WEEK_MS / 5_000; seq++) {
    milestones = [
      { seq, ageMs: 0 },
      ...milestones.map((one) => ({ seq: one.seq, ageMs: one.ageMs + 5_000 })),
    ];
    const gone = new Set(chooseMergers(milestones, WEEK_MS).map((one) => one.seq));
    milestones = milestones.filter((one) => !gone.has(one.seq));
  }
  expect(milestones.length).toBeGreaterThan(12);
  expect(milestones.length).toBeLessThan(25);
  for (const [index, { ageMs }] of milestones.slice(3).entries())
    expect(ageMs / milestones[index + 2]!.ageMs).toBeLessThanOrEqual(4);
});
