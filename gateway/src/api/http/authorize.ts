import type { IncomingMessage } from 'node:http';
import { isUuid, parseUserSegment } from '@parley/domain/ids';
import { requireAllowedOrigin } from '@parley/domain/http/origins';
import { fail, failNotFound } from '@parley/domain/problems';
import type { View } from '@parley/domain/json/view';
import type { Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Screened } from '../../admission/auth/index.ts';
import type { Uses } from '../context.ts';
import type { Weigh } from '../../admission/limits/index.ts';
import { actorOf, personOf } from '../../admission/console-tokens.ts';
import { baseView, clientView } from '../../admission/client-view.ts';
import type { Exchange } from '@parley/http/exchange/exchange';
import type { Match } from './match.ts';
import type { Route } from '../request/route.ts';

/** The user or server that a request acts for, its token, and the view of its answer. */
export type Actor = {
  appId: string;
  userId: string;
  tokenId: string;
  /** Incarnation of the session's user. Undefined: the caller is a server, or an older identity service does not send it. */
  incarnation?: number | undefined;
  view: View;
  weigh: Weigh;
};

/**
 * Reads a request's token without looking it up; undefined if the route takes none, or the request needs none and has none. Requests
 * without a token count for their address, and unknown tokens are refused while the address has sent too many bad ones. Problems:
 * rate_limit_exceeded.
 */
export function screen(
  { auth, limits }: Uses<'auth' | 'limits'>,
  route: Route,
  req: IncomingMessage,
): Screened | undefined {
  const { authorization } = req.headers;
  if (route.auth === 'none' || (route.auth === 'checked' && authorization === undefined)) return undefined;
  const kind = route.auth === 'checked' ? undefined : route.auth;
  return auth.screen(authorization, limits.failedTokens(req), kind);
}

/**
 * Finds the caller and stores it in the exchange. Problems: authentication_required, app_suspended, user_suspended, access_denied (origin),
 * not_found, rate_limit_exceeded.
 */
export async function authorize(
  ctx: Uses<'auth' | 'config' | 'consoleTokens' | 'downloads' | 'limits' | 'wire'>,
  { route, params }: Match,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
  screened: Screened | undefined,
): Promise<Actor> {
  const caller = screened && (await ctx.auth.authenticate(screened));
  if (caller && route.auth === 'bearer') return authorizeServer(ctx, { route, params }, exchange, caller);
  const weigh = caller && admitCaller(ctx, caller, exchange);
  if (route.auth === 'none' || route.auth === 'checked') {
    return { appId: '', userId: '', tokenId: '', view: baseView(ctx), weigh: () => undefined };
  }
  if (!caller || !weigh) return fail('authentication_required');
  const { appId, userId, incarnation, id: tokenId } = caller;
  return { appId, userId, incarnation, tokenId, view: clientView(ctx, caller), weigh };
}

/** Counts the request against the rate limit before checking its origin. Problems: rate_limit_exceeded, access_denied. */
function admitCaller(
  { limits }: Uses<'limits'>,
  caller: Caller,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
): Weigh {
  const operator = personOf(caller) && caller;
  const { appId, userId, id: tokenId } = caller;
  exchange.caller = { appId, userId, tokenId, actor: actorOf(caller), operator };
  const weigh = limits.caller(caller);
  requireAllowedOrigin(caller.allowedOrigins, exchange.req.headers.origin);
  return weigh;
}

async function authorizeServer(
  ctx: Uses<'auth' | 'config' | 'consoleTokens' | 'downloads' | 'limits' | 'wire'>,
  match: Match,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
  caller: Caller,
): Promise<Actor> {
  try {
    return await admitServer(ctx, match, exchange, caller);
  } catch (error) {
    await ctx.consoleTokens.refused({ caller, route: match.route, path: exchange.path }, error);
    throw error;
  }
}

/** Answers not_found for any app other than the token's. */
async function admitServer(
  ctx: Uses<'auth' | 'config' | 'consoleTokens' | 'downloads' | 'limits' | 'wire'>,
  { route, params }: Match,
  exchange: Pick<Exchange, 'req' | 'caller' | 'path'>,
  caller: Caller,
): Promise<Actor> {
  const { wire, auth, config, downloads } = ctx;
  const weigh = admitCaller(ctx, caller, exchange);
  if (caller.readOnly && route.method !== 'GET')
    fail('access_denied', { message: 'The access token may read only.' });
  const { appId, id: tokenId } = caller;
  const appUuid = params['app_uuid'] ?? '';
  if (!isUuid(appUuid) || appUuid.toLowerCase() !== appId) return failNotFound('app', appUuid);
  await ctx.consoleTokens.admit({ caller, route, path: exchange.path });
  const view: View = { wire, baseUrl: config.publicUrl, downloads, audience: 'server', appId };
  const asUser = params['as_user_id'];
  if (asUser === undefined) return { appId, userId: '', tokenId, view, weigh };
  const userId = parseUserSegment(wire, asUser) ?? failNotFound('identity', asUser);
  const { incarnation } = await auth.checkUser(appId, userId);
  return { appId, userId, incarnation, tokenId, view: { ...view, audience: 'user', userId }, weigh };
}
