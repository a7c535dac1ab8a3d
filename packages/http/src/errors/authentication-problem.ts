import { problemOf } from '@parley/domain/problems';

const TOKEN_PROBLEMS = new Set<string | undefined>(['authentication_required', 'app_suspended']);

/** Whether an error says that a token is bad, rather than that the look-up failed. */
export function isAuthenticationProblem(error: unknown): boolean {
  return TOKEN_PROBLEMS.has(problemOf(error)?.id);
}
