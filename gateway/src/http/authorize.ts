import { encodeActor } from '@parley/domain/actor';
import { isUserId, isUuid } from '@parley/domain/ids';
import { requireAllowedOrigin } from '@parley/domain/http/origins';
import { fail, failNotFound } from '@parley/domain/problems';
import type { View } from '@parley/domain/json/view';
import type { Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { GatewayContext } from '../context.ts';
import type { Weigh } from '../limits/index.ts';
import type { Exchange } from './exchange.ts';
import type { Match } from './match.ts';

/** The user or server that a request acts for, its token, and the view of its answer. */
export type Actor = {
  appId: string;
  userId: string;
  tokenId: string;
  /** Incarnation of the session's user. Undefined: a server asks, or an older identity service does not say. */
  incarnation?: number | undefined;
  view: View;
  weigh: Weigh;
};

/** Says in the exchange whose token it has. Problems: authentication_required, app_suspended, user_suspended, access_denied (origin), not_found, rate_limit_exceeded. */
export async function authorize(
  ctx: GatewayContext,
  { route, params }: Match,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
): Promise<Actor> {
  const { req } = exchange;
  const { wire, auth } = ctx;
  const { authorization } = req.headers;
  const base = { wire, baseUrl: ctx.config.publicUrl, downloads: ctx.downloads };
  if (route.auth === 'session') {
    const caller = await auth.authenticate(authorization, ctx.limits.failedTokens(req), 'session');
    const weigh = admitCaller(ctx, caller, exchange);
    const { appId, userId, incarnation, id: tokenId } = caller;
    const view: View = { ...base, audience: 'client', appId, userId };
    return { appId, userId, incarnation, tokenId, view, weigh };
  }
  if (route.auth === 'bearer') return authorizeServer(ctx, { route, params }, exchange);
  if (route.auth === 'checked' && authorization !== undefined)
    admitCaller(ctx, await auth.authenticate(authorization, ctx.limits.failedTokens(req)), exchange);
  const view: View = { ...base, audience: 'client', appId: '' };
  return { appId: '', userId: '', tokenId: '', view, weigh: () => undefined };
}

/** Takes a token of the rate limit before the origin is checked. Problems: rate_limit_exceeded, access_denied. */
function admitCaller(
  { limits }: GatewayContext,
  caller: Caller,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
): Weigh {
  exchange.caller = { appId: caller.appId, userId: caller.userId, actor: actorOf(caller) };
  const weigh = limits.caller(caller);
  requireAllowedOrigin(caller.allowedOrigins, exchange.req.headers.origin);
  return weigh;
}

/** Any app but the token's own is not found. */
async function authorizeServer(
  ctx: GatewayContext,
  { route, params }: Match,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
): Promise<Actor> {
  const { req } = exchange;
  const { wire, auth, config, downloads, limits } = ctx;
  const caller = await auth.authenticate(req.headers.authorization, limits.failedTokens(req), 'bearer');
  const weigh = admitCaller(ctx, caller, exchange);
  if (caller.readOnly && route.method !== 'GET')
    fail('access_denied', { message: 'The access token may read only.' });
  const { appId, id: tokenId } = caller;
  const appUuid = params['app_uuid'] ?? '';
  if (!isUuid(appUuid) || appUuid.toLowerCase() !== appId) return failNotFound('app', appUuid);
  await ctx.contentReads.admit({ caller, route: route.path, path: pathInApp(exchange.path) });
  const view: View = { wire, baseUrl: config.publicUrl, downloads, audience: 'server', appId };
  const userId = params['as_user_id'];
  if (userId === undefined) return { appId, userId: '', tokenId, view, weigh };
  if (!isUserId(userId)) return failNotFound('identity', userId);
  await auth.checkUser(appId, userId);
  return { appId, userId, tokenId, view: { ...view, audience: 'user', userId }, weigh };
}

/** The person who got the token from the console; undefined for others. */
function actorOf({ actorIssuer: issuer, actorSubject: subject }: Caller): string | undefined {
  return issuer === undefined || subject === undefined ? undefined : encodeActor({ issuer, subject });
}

/** A path without that of its application. */
function pathInApp(path: string): string {
  return path.replace(/^\/apps\/[^/]+/, '');
}
