import type { JsonObject } from '@bufbuild/protobuf';
import type { PatchPlan } from '../conversation/patch-plan.ts';

/**
 * The effect of a patch by a user under a shadow restriction: whom they add takes part, and they may leave; all else reaches nobody.
 * `metadata`: that of before.
 */
export function withoutShadowed(
  { added, removed, withoutHistory, shown, operations }: PatchPlan,
  { userId, metadata }: { userId: string; metadata: JsonObject },
): PatchPlan {
  return {
    metadata,
    added,
    removed: removed.filter((one) => one === userId),
    withoutHistory,
    shown,
    operations: operations.filter(
      ({ step }) =>
        step.case === 'addParticipant' || (step.case === 'removeParticipant' && step.value === userId),
    ),
  };
}
