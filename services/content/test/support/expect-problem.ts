import { problemOf } from '@parley/domain/problems';

/** Resolves when the call fails with that problem; `data` is a part of the problem's. */
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
  expect({ id: problem?.id, data: problem?.data ?? {} }).toMatchObject({ id, data });
}
