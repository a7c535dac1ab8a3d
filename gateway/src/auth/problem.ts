import { problemOf } from '@parley/domain/problems';

const TOKEN_PROBLEMS = new Set<string | undefined>(['authentication_required', 'app_suspended']);

/** Whether an error says that a token is not good, as against that it could not be asked for. */
export function isAuthenticationProblem(error: unknown): boolean {
  return TOKEN_PROBLEMS.has(problemOf(error)?.id);
}
