import { limits } from '@parley/contract/limits';
import { invalid, parseArray } from './fields.ts';

/** The steps of a patch array of any record. Fails with invalid_request, invalid_property. */
export function parseSteps(body: unknown): readonly unknown[] {
  const steps = parseArray(body);
  const most = limits.patchOperations;
  return steps.length <= most
    ? steps
    : invalid(String(most), `is too much: a patch has at most ${most} steps.`);
}
