// The endpoints of the console itself, and all of their paths. docs/console.md#endpoints
import { RequestFailure } from './failure.ts';
import { pathTo } from './path.ts';
import { jsonOf, postJson, request } from './request.ts';
import type { RoleGrant } from './roles.ts';

export type SignInMethod = 'code' | 'oidc';
/** How a token for one application may be used. */
export type Access = 'read' | 'write';

/** The person who is signed in. */
export type SignedIn = {
  id: string;
  person: { issuer: string; subject: string; name: string };
  roles: RoleGrant[];
  expires_at: string;
  /** Address of the APIs of clients and servers. */
  api_url: string;
};

/** `session` is null for a browser that is not signed in. */
export type SessionState = { session: SignedIn | null; methods: SignInMethod[] };

/** A session of this person in a browser. */
export type ListedSession = {
  id: string;
  created_at: string;
  used_at: string;
  expires_at: string;
  sign_in: SignInMethod;
  is_current: boolean;
};

type SignIns = { sign_in: SignInMethod[] };

export async function readSession(): Promise<SessionState> {
  const response = await fetch('/console/session', { headers: { accept: 'application/json' } });
  if (response.status === 401) return { session: null, methods: (await jsonOf<SignIns>(response)).sign_in };
  if (!response.ok) throw unreadSession(response);
  const { sign_in: methods, ...session } = await jsonOf<SignedIn & SignIns>(response);
  return { session, methods };
}

function unreadSession({ status, headers }: Response): RequestFailure {
  const requestId = headers.get('x-request-id') ?? undefined;
  return new RequestFailure('The session could not be read.', {
    status,
    errorId: `http_${status}`,
    requestId,
  });
}

export async function signInWithCode(code: string): Promise<void> {
  await postJson('/console/sign-in/code', { code });
}

export async function signOut(): Promise<void> {
  await request('/console/sign-out', { method: 'POST' });
}

export async function listSessions(): Promise<ListedSession[]> {
  const response = await request('/console/sessions');
  return (await jsonOf<{ sessions: ListedSession[] }>(response)).sessions;
}

export async function endSession(id: string): Promise<void> {
  await request(pathTo`/console/sessions/${id}`, { method: 'DELETE' });
}

/** A bearer token for the server API of an application, valid for five minutes. */
export async function issueAppToken(appUuid: string, access: Access): Promise<string> {
  const response = await postJson('/console/app-token', { app_id: appUuid, access });
  return (await jsonOf<{ token: string }>(response)).token;
}
