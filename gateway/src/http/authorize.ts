import type { IncomingMessage } from 'node:http';
import { isUserId, isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { View } from '@parley/domain/json/view';
import type { GatewayContext } from '../context.ts';
import type { Match } from './match.ts';

/** Who a request acts for, and whose view its answer is in. */
export type Actor = { appId: string; userId: string; view: View };

/** Problems: authentication_required, app_suspended, user_suspended, not_found, rate_limit_exceeded. */
export async function authorize(
  ctx: GatewayContext,
  { route, params }: Match,
  req: IncomingMessage,
): Promise<Actor> {
  const { wire, auth } = ctx;
  const { authorization } = req.headers;
  const base = { wire, baseUrl: ctx.config.publicUrl, downloads: ctx.downloads };
  if (route.auth === 'session') {
    const caller = await auth.authenticate(authorization, ctx.limits.failedTokens(req), 'session');
    ctx.limits.caller(caller);
    const { appId, userId } = caller;
    return { appId, userId, view: { ...base, audience: 'client', appId, userId } };
  }
  if (route.auth === 'bearer') return authorizeServer(ctx, params, req);
  if (route.auth === 'checked' && authorization !== undefined)
    ctx.limits.caller(await auth.authenticate(authorization, ctx.limits.failedTokens(req)));
  return { appId: '', userId: '', view: { ...base, audience: 'client', appId: '' } };
}

/** The app in the path is the token's own, or does not exist as far as its holder may know. */
async function authorizeServer(
  { wire, auth, config, downloads, limits }: GatewayContext,
  params: Match['params'],
  req: IncomingMessage,
): Promise<Actor> {
  const caller = await auth.authenticate(req.headers.authorization, limits.failedTokens(req), 'bearer');
  limits.caller(caller);
  const { appId } = caller;
  const appUuid = params['app_uuid'] ?? '';
  if (!isUuid(appUuid) || appUuid.toLowerCase() !== appId) return fail('not_found');
  const view: View = { wire, baseUrl: config.publicUrl, downloads, audience: 'server', appId };
  const userId = params['as_user_id'];
  if (userId === undefined) return { appId, userId: '', view };
  if (!isUserId(userId)) return fail('not_found');
  await auth.checkUser(appId, userId);
  return { appId, userId, view: { ...view, audience: 'user', userId } };
}
