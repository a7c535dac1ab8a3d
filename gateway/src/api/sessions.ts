import { parseAppUri } from '@parley/domain/ids';
import { isUserId } from '@parley/domain/user-id';
import { isFields, type Fields } from '@parley/domain/parse/fields';
import { parseJson } from '@parley/domain/parse/json';
import { parseLogin } from '@parley/domain/parse/login';
import { linkHeader } from './discovery/link-header.ts';
import { findIncarnation } from '../upstream/content/claim.ts';
import type { Uses } from './context.ts';
import { applyErasureOfAnnouncements, applyIdentities } from '../upstream/messaging/identity-copies.ts';
import type { ApiRequest } from './request/route.ts';
import { sessionLinksOf } from './discovery/links.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { KeyScope } from './request/route.ts';

export async function issueNonce({ identity }: Uses<'identity'>): Promise<HttpResponse> {
  const { nonce } = await identity.issueNonce({});
  return { status: 201, body: { nonce } };
}

export async function createSession(
  ctx: Uses<'announcement' | 'config' | 'identity' | 'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const login = parseLogin(ctx.wire, request.body);
  const session = await ctx.identity.createSession({ ...login, ...originOf(request) });
  if (session.incarnation !== undefined && session.incarnation > 0) await announceReturn(ctx, session);
  const link = linkHeader(sessionLinksOf(ctx, session.userId));
  return { status: 201, headers: { link }, body: { session_token: session.sessionToken } };
}

/**
 * The user id belonged to another person before: services that hold records of that person learn of the erasure before this login, even if
 * the erasure was interrupted. Problems: service_unavailable.
 */
async function announceReturn(
  ctx: Uses<'announcement' | 'identity' | 'log' | 'messagingCopies' | 'relations'>,
  { appId, userId }: { appId: string; userId: string },
) {
  const { identities } = await ctx.identity.findIdentities({ appId, userIds: [userId] });
  await applyIdentities(ctx, { appId, identities });
  for (const identity of identities) await applyErasureOfAnnouncements(ctx, identity);
}

export async function deleteSession(
  { identity, auth }: Uses<'auth' | 'identity'>,
  { appId, userId, params }: ApiRequest,
): Promise<HttpResponse> {
  await identity.deleteSession({ appId, userId, sessionToken: params['token'] ?? '' });
  await auth.learnRevocations();
  return { status: 204 };
}

/** The user named by the identity token; identity verifies the token before it records the key. */
export async function keyScopeOfLogin(
  ctx: Uses<'identity' | 'wire'>,
  request: ApiRequest,
): Promise<KeyScope | undefined> {
  const { body } = request;
  if (!isFields(body)) return undefined;
  const { app_id: appId, identity_token: identityToken } = body;
  if (typeof appId !== 'string' || typeof identityToken !== 'string') return undefined;
  const app = parseAppUri(ctx.wire, appId);
  const { iss, prn } = readClaims(identityToken);
  if (!app || typeof iss !== 'string' || typeof prn !== 'string') return undefined;
  const login = { appId, identityToken, ...originOf(request) };
  // The token may still be refused, so it may name anything.
  const incarnation = isUserId(prn) ? await findIncarnation(ctx.identity, app.appId, prn) : 0;
  return { appId: app.appId, caller: `login ${iss} ${prn}`, incarnation, login };
}

/** The origin of the page that logs in; absent for clients other than browsers. */
function originOf({ headers: { origin } }: ApiRequest): { origin?: string } {
  return origin === undefined ? {} : { origin };
}

/** The unverified claims of a token; empty for a malformed token, which identity refuses. */
function readClaims(token: string): Fields {
  try {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return isFields(claims) ? claims : {};
  } catch {
    return {};
  }
}
