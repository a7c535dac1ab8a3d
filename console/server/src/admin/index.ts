import { createHash, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { errorToJson } from '@connectrpc/connect/protocol-connect';
import type { NextFunction, RequestHandler, Response } from 'express';
import { fail, retryHeaders, toHttp } from '@parley/domain/problems';
import { currentContext, runInContext } from '@parley/kit/runtime/request-context';
import { readCookie, sessionCookie } from '../access/cookie.ts';
import { createOriginCheck, type Listener } from '../access/origin-check.ts';
import { requireOwnOrigin } from '../access/own-page.ts';
import { sessionOf } from '../access/session.ts';
import type { ConsoleContext } from '../context.ts';
import { isAuthenticationProblem } from '@parley/http/errors/authentication-problem';
import type { TokenGuard } from '@parley/http/limits/failed-tokens';
import { challenge } from '@parley/http/errors/error-answer';
import type { OperatorCall } from '@parley/administration/audit/call';
import { authorizeCalls } from './authorize.ts';
import { cellRoutes } from './cells.ts';
import { explain } from './explain-failures.ts';
import { forwardAdmin } from './forward.ts';
import { importRoutes } from './import.ts';
import {
  actorOf,
  ADMINISTRATOR,
  admitAs,
  principalOfAutomation,
  principalOfSession,
  type Principal,
} from '../access/principal.ts';
import { pushRoutes } from './push.ts';
import { recoveryRoutes } from './recovery/index.ts';
import { serveConnect } from './serve.ts';

/**
 * The administration API in the Connect protocol, for holders of the administration token and people of the console.
 * docs/protocol/administration.md
 */
export function createAdmin(ctx: ConsoleContext, listener: Listener): RequestHandler[] {
  const { channels, learnRevocations, wire, log } = ctx;
  const { identity, messaging, content, push } = channels;
  const forward = forwardAdmin({ transport: identity, learnRevocations });
  const restore = importRoutes({ wire, identity, messaging });
  const pushes = pushRoutes({ identity, push });
  const recovery = recoveryRoutes({ identity, messaging, content, learnRevocations });
  const cells = cellRoutes(messaging);
  const authorize = authorizeCalls({ wire, access: ctx.consoleAccess, log: ctx.auditLog });
  return [admit(ctx, listener), serveConnect({ log, authorize }, forward, restore, pushes, recovery, cells)];
}

/** Admits holders of the administration token and of automation tokens, and people of the console with the console's own Origin. */
function admit(ctx: ConsoleContext, listener: Listener): RequestHandler {
  const { config, limits, wire } = ctx;
  const admits = createAdmits([config.adminToken, ...config.acceptedAdminTokens]);
  const originOf = createOriginCheck(config.consoleUrl, listener);
  return async (req, res, next) => {
    const { authorization } = req.headers;
    if (admits(authorization)) {
      await ctx.auditLog.used(tokenUse('administration_token.used', undefined));
      return proceed(res, ADMINISTRATOR, next);
    }
    try {
      const origin = authorization === undefined ? originOf(req) : undefined;
      if (origin !== undefined && readCookie(req, sessionCookie(origin)) !== undefined) {
        requireOwnOrigin(req, origin);
        return proceed(res, principalOfSession(await sessionOf(ctx, req, origin)), next);
      }
      const token = bearerOf(authorization);
      if (token !== undefined) {
        const guard = limits.failedTokens(req);
        const principal = await principalOfToken(ctx, token, guard);
        await ctx.auditLog.used(tokenUse('automation_token.used', principal.person));
        return proceed(res, principal, next);
      }
      limits.failedTokens(req).missing();
    } catch (error) {
      if (bearerOf(authorization) !== undefined) await ctx.auditLog.refused(REFUSED_TOKEN, error);
      if (!isAuthenticationProblem(error)) return refuse(ctx, res, error);
    }
    res
      .status(401)
      .set('www-authenticate', challenge({ wire }, ['Bearer']))
      .json({ code: 'unauthenticated', message: 'The administration token is missing or wrong.' });
  };
}

/** An invalid token of any kind. */
const REFUSED_TOKEN: OperatorCall = {
  actor: 'unknown',
  person: undefined,
  method: 'administration API',
  action: 'administration_token.refused',
  appId: undefined,
  subject: '',
  namesUser: false,
};

function tokenUse(action: string, person: OperatorCall['person']): OperatorCall {
  return { ...REFUSED_TOKEN, actor: 'admin', action, person };
}

/** Goes on in the name of a principal, which the services that are called learn too. */
function proceed(res: Response, principal: Principal, next: NextFunction): void {
  admitAs(res, principal);
  const context = currentContext() ?? fail('internal_server_error');
  const { requestId, deadline, signal } = context;
  runInContext({ requestId, deadline, signal, actor: actorOf(principal) }, next);
}

function refuse({ errorDocs, log }: ConsoleContext, res: Response, cause: unknown): void {
  const error = explain(cause, log);
  const refusal = toHttp(error, errorDocs);
  res
    .status(refusal.status)
    .set(retryHeaders(refusal) ?? {})
    .json(errorToJson(ConnectError.from(error), undefined));
}

/** Takes the same time for every token. */
function createAdmits(tokens: readonly string[]): (authorization: string | undefined) => boolean {
  const expected = tokens.map(digest);
  return (authorization) => {
    const given = digest(bearerOf(authorization) ?? '');
    return expected.filter((one) => timingSafeEqual(given, one)).length > 0;
  };
}

function bearerOf(authorization = ''): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** The principal of an automation token. Problems: authentication_required, those of the guard. */
async function principalOfToken(
  { consoleAccess }: ConsoleContext,
  token: string,
  guard: TokenGuard,
): Promise<Principal> {
  try {
    return principalOfAutomation(await guard.lookUp(() => consoleAccess.resolveAutomationToken({ token })));
  } catch (error) {
    const isUnknown = isAuthenticationProblem(error) || isOfOlderRelease(error);
    if (!isUnknown) throw error;
    guard.bad();
    return fail('authentication_required');
  }
}

/** Whether identity is of a release without automation tokens. */
function isOfOlderRelease(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unimplemented;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
