import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { describeFailure, isSignedOut } from './failure.ts';
import { SESSION } from './session.ts';

const STALE_MS = 5_000;
const RETRIES = 2;

/** Answers that were read. A call that is refused for want of a session has the frame ask whether there still is one. */
export const QUERIES = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: { queries: { staleTime: STALE_MS, retry: isWorthRepeating } },
});

function checkSession(error: unknown): void {
  if (isSignedOut(error)) void QUERIES.invalidateQueries({ queryKey: SESSION.queryKey });
}

/** Answers of the platform are final; only a platform that did not answer is asked again. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < RETRIES && describeFailure(error).errorId === 'unreachable';
}
