import { isoTime } from '@parley/domain/json/time';
import type { ConsoleSession, RoleGrant } from '@parley/proto/parley/identity/v1/console_service_pb';

export type SignInMethod = 'code' | 'oidc';

/** The answer of GET /console/session. docs/console.md#endpoints */
export function sessionJson(session: ConsoleSession, signIn: readonly SignInMethod[]) {
  const { person, roles, expiresAt } = session;
  return {
    id: session.id,
    person: { issuer: person?.issuer ?? '', subject: person?.subject ?? '', name: person?.name ?? '' },
    roles: roles.map(roleJson),
    expires_at: isoTime(expiresAt),
    sign_in: signIn,
  };
}

/** An entry of GET /console/sessions. */
export function listedSessionJson(session: ConsoleSession, ownId: string) {
  return {
    id: session.id,
    sign_in: session.method,
    created_at: isoTime(session.createdAt),
    used_at: isoTime(session.usedAt),
    expires_at: isoTime(session.expiresAt),
    is_current: session.id === ownId,
  };
}

function roleJson({ role, appId }: RoleGrant) {
  return { role, app_id: appId ?? null };
}
