import { problemOf } from '@parley/domain/problems';

const ids = new Set<string | undefined>(['authentication_required', 'app_suspended']);

/** Whether an error says that a token is not good, as against that it could not be asked for. */
export function isAuthenticationProblem(error: unknown): boolean {
  return ids.has(problemOf(error)?.id);
}
