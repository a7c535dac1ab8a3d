import { problemOf } from '@parley/domain/problems';

/** The problem of a failed call, as `id` or `id: property`; `success` when it succeeds. */
export async function problemIn(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'success';
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    const property = problem.data?.['property'];
    return typeof property === 'string' ? `${problem.id}: ${property}` : problem.id;
  }
}
