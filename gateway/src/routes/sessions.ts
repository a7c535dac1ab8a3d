import { parseAppUri } from '@parley/domain/ids';
import { isFields, type Fields } from '@parley/domain/parse/fields';
import { parseJson } from '@parley/domain/parse/json';
import { parseLogin } from '@parley/domain/parse/login';
import { linkHeader } from './discovery/link-header.ts';
import type { GatewayContext } from '../context.ts';
import type { ApiRequest } from './request/route.ts';
import { sessionLinksOf } from './discovery/links.ts';
import type { HttpResponse } from '../responses/response.ts';
import type { KeyScope } from './request/route.ts';

export async function issueNonce({ identity }: GatewayContext): Promise<HttpResponse> {
  const { nonce } = await identity.issueNonce({});
  return { status: 201, body: { nonce } };
}

export async function createSession(ctx: GatewayContext, request: ApiRequest): Promise<HttpResponse> {
  const login = parseLogin(ctx.wire, request.body);
  const session = await ctx.identity.createSession({ ...login, ...originOf(request) });
  const link = linkHeader(sessionLinksOf(ctx, session.userId));
  return { status: 201, headers: { link }, body: { session_token: session.sessionToken } };
}

export async function deleteSession(
  { identity, auth }: GatewayContext,
  { appId, userId, params }: ApiRequest,
): Promise<HttpResponse> {
  await identity.deleteSession({ appId, userId, sessionToken: params['token'] ?? '' });
  await auth.learnRevocations();
  return { status: 204 };
}

/** The user whom the identity token names; identity verifies the token before it records the key. */
export function keyScopeOfLogin(ctx: GatewayContext, request: ApiRequest): KeyScope | undefined {
  const { body } = request;
  if (!isFields(body)) return undefined;
  const { app_id: appId, identity_token: identityToken } = body;
  if (typeof appId !== 'string' || typeof identityToken !== 'string') return undefined;
  const app = parseAppUri(ctx.wire, appId);
  const { iss, prn } = readClaims(identityToken);
  if (!app || typeof iss !== 'string' || typeof prn !== 'string') return undefined;
  const login = { appId, identityToken, ...originOf(request) };
  return { appId: app.appId, caller: `login ${iss} ${prn}`, login };
}

/** The origin of the page that logs in; none for other clients. */
function originOf({ headers: { origin } }: ApiRequest): { origin?: string } {
  return origin === undefined ? {} : { origin };
}

/** The claims of a token, not verified; empty for a malformed token, which identity refuses. */
function readClaims(token: string): Fields {
  try {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return isFields(claims) ? claims : {};
  } catch {
    return {};
  }
}
