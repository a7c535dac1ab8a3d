import { problemOf } from '../problems.ts';

/** The problem of a failed call, as `id` or `id: property`; `success` when it succeeds. Another failure is thrown. */
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

/** Resolves when the call fails with that problem, whose data includes `data`. A failure that is no problem is thrown. */
export async function expectProblem(
  call: Promise<unknown>,
  id: string,
  data: Record<string, unknown> = {},
): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure ?? new Error('failed with nothing'),
  );
  const problem = problemOf(error);
  if (error !== undefined && !problem) throw error;
  expect({ id: problem?.id, data: problem?.data ?? {} }).toMatchObject({ id, data });
}
