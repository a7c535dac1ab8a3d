import { queryOptions, useQuery } from '@tanstack/react-query';
import { pathTo } from './path.ts';
import { setApiUrl } from './api-url.ts';
import { RequestFailure } from './failure.ts';
import { postJson, request } from './request.ts';

export type Role = 'viewer' | 'operator' | 'owner';
export type SignInMethod = 'code' | 'oidc';

/** The person who is signed in. A role with an `app_id` of null holds for all applications. */
export type SignedIn = {
  id: string;
  person: { issuer: string; subject: string; name: string };
  roles: { role: Role; app_id: string | null }[];
  expires_at: string;
  /** Where the API of clients and servers is. */
  api_url: string;
};
/** `session` is null for a browser that is not signed in. */
export type SessionState = { session: SignedIn | null; methods: SignInMethod[] };

/** One session of this person in a browser. */
export type ListedSession = {
  id: string;
  created_at: string;
  used_at: string;
  expires_at: string;
  sign_in: SignInMethod;
  is_current: boolean;
};

export const SESSION = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

async function readSession(): Promise<SessionState> {
  const response = await fetch('/console/session', { headers: { accept: 'application/json' } });
  if (response.status === 401) {
    const { sign_in: methods } = (await response.json()) as { sign_in: SignInMethod[] };
    return { session: null, methods };
  }
  if (!response.ok) {
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const { status } = response;
    throw new RequestFailure('The session could not be read.', {
      status,
      errorId: `http_${status}`,
      requestId,
    });
  }
  const { sign_in: methods, ...session } = (await response.json()) as SignedIn & { sign_in: SignInMethod[] };
  setApiUrl(session.api_url);
  return { session, methods };
}

export async function signInWithCode(code: string): Promise<void> {
  await postJson('/console/sign-in/code', { code });
}

export async function signOut(): Promise<void> {
  await request('/console/sign-out', { method: 'POST' });
}

export async function listSessions(): Promise<ListedSession[]> {
  const response = await request('/console/sessions');
  return ((await response.json()) as { sessions: ListedSession[] }).sessions;
}

export async function endSession(id: string): Promise<void> {
  await request(pathTo`/console/sessions/${id}`, { method: 'DELETE' });
}

const RANKS = { viewer: 0, operator: 1, owner: 2 } satisfies Record<Role, number>;

/** Whether this person has the role, or a higher one: for all applications without an id, else for this one. */
export function useMay(needed: Role, appUuid?: string): boolean {
  const { data } = useQuery(SESSION);
  const roles = data?.session?.roles ?? [];
  return roles.some(
    ({ role, app_id }) => RANKS[role] >= RANKS[needed] && (app_id === null || app_id === appUuid),
  );
}
