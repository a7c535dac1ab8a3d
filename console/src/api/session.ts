import { queryOptions, useQuery } from '@tanstack/react-query';
import { setApiUrl } from './api-url.ts';
import { readSession, type SessionState } from './console.ts';
import { hasRole, type Role } from './roles.ts';

export const SESSION = queryOptions({ queryKey: ['session'], queryFn: learnSession, staleTime: 60_000 });

async function learnSession(): Promise<SessionState> {
  const state = await readSession();
  if (state.session) setApiUrl(state.session.api_url);
  return state;
}

/** Whether this person has the role, or a higher one: for all applications without an id, else for this one. */
export function useMay(needed: Role, appUuid?: string): boolean {
  const { data } = useQuery(SESSION);
  return hasRole(data?.session?.roles ?? [], needed, appUuid);
}
