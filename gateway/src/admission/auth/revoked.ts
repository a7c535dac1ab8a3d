import type { Revocation } from '@parley/proto/parley/identity/v1/identity_service_pb';

/** The revocations of one answer; `all`: any cached caller may have been revoked. */
export type RevokedNow = 'all' | readonly Revocation[];

type User = { appId: string; userId: string };

/** Ids of the sessions that are revoked by id. */
export function sessionIdsOf(revoked: RevokedNow): Set<string> {
  const ids = new Set<string>();
  if (revoked === 'all') return ids;
  for (const { subject } of revoked) if (subject.case === 'sessionId') ids.add(subject.value);
  return ids;
}

/** Whether the user, their app or everything is revoked, so that cached answers about the user must be fetched again. */
export function concernsUser(revoked: RevokedNow, { appId, userId }: User): boolean {
  if (revoked === 'all') return true;
  return revoked.some(({ subject }) => {
    if (subject.case === 'appId') return subject.value === appId;
    return subject.case === 'user' && subject.value.appId === appId && subject.value.userId === userId;
  });
}

/** Whether a session or an access token is revoked by its id. */
export function namesToken(revoked: RevokedNow, id: string): boolean {
  if (revoked === 'all') return true;
  return revoked.some(({ subject }) => {
    return (subject.case === 'sessionId' || subject.case === 'accessTokenId') && subject.value === id;
  });
}
