import type { Request, Response } from 'express';
import { isUuid } from '@parley/domain/ids';
import { isoTime } from '@parley/domain/json/time';
import { fail, failNotFound } from '@parley/domain/problems';
import { isLoopbackName } from '@parley/kit/runtime/loopback';
import { hasRole, knowsApp, principalOfSession, roleIn } from '../access/principal.ts';
import type { ConsoleContext } from '../context.ts';
import { readJson } from '@parley/http/requests/body';
import { sessionCookie, setCookie } from '../access/cookie.ts';
import { listedSessionJson, sessionJson, type SignInMethod } from './json.ts';
import { sessionOf, tokenOf, withToken } from '../access/session.ts';

/** A request to the console's own endpoints, and the origin of the console for it. */
export type ConsoleCall = { ctx: ConsoleContext; req: Request; res: Response; origin: string };

/** How people sign in here. Codes are for the machine that prints them. */
export function signInMethods({ config }: Pick<ConsoleContext, 'config'>): SignInMethod[] {
  const { consoleUrl, oidc } = config;
  const isLocal = consoleUrl !== undefined && isLoopbackName(new URL(consoleUrl).hostname);
  return [...(isLocal ? ['code' as const] : []), ...(oidc.issuer === undefined ? [] : ['oidc' as const])];
}

export async function getSession({ ctx, req, res, origin }: ConsoleCall): Promise<void> {
  const session = await sessionOf(ctx, req, origin);
  res.json({ ...sessionJson(session, signInMethods(ctx)), api_url: ctx.config.publicUrl });
}

export async function signInByCode({ ctx, req, res, origin }: ConsoleCall): Promise<void> {
  ctx.limitSignIn(req);
  if (!signInMethods(ctx).includes('code'))
    fail('access_denied', { message: 'The console takes no sign-in codes here.' });
  const { token, session } = await ctx.consoleAccess.redeemSignInCode({
    code: textIn(await bodyOf(req), 'code'),
  });
  const maxAge = Math.floor(((session?.expiresAt ?? 0) - ctx.clock.now()) / 1_000);
  res
    .append('set-cookie', setCookie(sessionCookie(origin), token, maxAge))
    .status(204)
    .end();
}

/** Ends the session, if there is one, and always deletes the cookie. */
export async function signOut({ ctx, req, res, origin }: ConsoleCall): Promise<void> {
  res.append('set-cookie', setCookie(sessionCookie(origin), '', 0));
  await withToken(ctx, { req, origin }, (token) => ctx.consoleAccess.endConsoleSession({ token }));
  await ctx.learnRevocations();
  res.status(204).end();
}

export async function listSessions({ ctx, req, res, origin }: ConsoleCall): Promise<void> {
  const { id } = await sessionOf(ctx, req, origin);
  const { sessions } = await ctx.consoleAccess.listConsoleSessions({ token: tokenOf(req, origin) });
  res.json({ sessions: sessions.map((session) => listedSessionJson(session, id)) });
}

export async function endSession({ ctx, req, res, origin }: ConsoleCall): Promise<void> {
  const sessionId = String(req.params['id']);
  await withToken(ctx, { req, origin }, (token) => ctx.consoleAccess.endConsoleSession({ token, sessionId }));
  await ctx.learnRevocations();
  res.status(204).end();
}

/** A token for the server API of one application, which the page keeps in memory. */
export async function createAppToken({ ctx, req, res, origin }: ConsoleCall): Promise<void> {
  const principal = principalOfSession(await sessionOf(ctx, req, origin));
  const body = await bodyOf(req);
  const [id, access] = [textIn(body, 'app_id'), textIn(body, 'access')];
  const appId = isUuid(id) ? id.toLowerCase() : failNotFound('app', id);
  if (!knowsApp(principal, appId)) failNotFound('app', id);
  const role = access === 'read' ? 'viewer' : 'operator';
  if (!hasRole(principal, role, appId)) fail('access_denied', { message: `This takes the role ${role}.` });
  const held = roleIn(principal, appId);
  const { token, expiresAt } = await ctx.consoleAccess.createAppToken({
    sessionToken: tokenOf(req, origin),
    appId,
    access,
    origin,
    readsContent: held !== 'viewer',
    role: held,
  });
  res.json({ token, expires_at: isoTime(expiresAt) });
}

const NOBODY = { appId: '', userId: '', tokenId: 'console' };

/** Problems: invalid_request, request_entity_too_large, service_unavailable. */
export function bodyOf(req: Request): Promise<unknown> {
  const closeAfterwards = (): void => void (req.res && (req.res.shouldKeepAlive = false));
  return readJson(req, { caller: NOBODY, tooLarge: undefined, closeAfterwards });
}

/** A text of a JSON object, by its own key. Problems: missing_property, invalid_property. */
export function textIn(body: unknown, key: string): string {
  const isObject = typeof body === 'object' && body !== null && Object.hasOwn(body, key);
  const value: unknown = isObject ? Reflect.get(body, key) : undefined;
  if (value === undefined) fail('missing_property', { property: key, message: `${key} is required.` });
  if (typeof value === 'string' && value !== '') return value;
  return fail('invalid_property', { property: key, message: `${key} must be a text.` });
}
