import { problemOf } from '../problems.ts';

/** `id property` of the problem that the call fails with, e.g. `invalid_property parts.0.body`; anything else is thrown. */
export function failureOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    const property = problem.data?.['property'];
    return typeof property === 'string' ? `${problem.id} ${property}` : problem.id;
  }
  throw new Error('the call did not fail');
}
