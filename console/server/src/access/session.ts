import type { IncomingMessage } from 'node:http';
import type { Client } from '@connectrpc/connect';
import { fail } from '@parley/domain/problems';
import type { ConsoleService, ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import { isAuthenticationProblem } from '@parley/http/errors/authentication-problem';
import type { AddressLimits } from '@parley/http/limits/address-limits';
import { readCookie, sessionCookie } from './cookie.ts';

/** The token in the console's cookie. Problems: authentication_required. */
export function tokenOf(req: IncomingMessage, origin: string): string {
  const token = readCookie(req, sessionCookie(origin));
  return token ?? fail('authentication_required', { message: 'Sign in to the console first.' });
}

type Guarded = { limits: Pick<AddressLimits, 'failedTokens'> };

/**
 * Calls identity with the token in the console's cookie, which may be bad: a bad or missing one counts for the caller's address, as other
 * such tokens do. Problems: authentication_required; rate_limit_exceeded after too many bad tokens; those of the call.
 */
export async function withToken<T>(
  { limits }: Guarded,
  { req, origin }: { req: IncomingMessage; origin: string },
  call: (token: string) => Promise<T>,
): Promise<T> {
  const guard = limits.failedTokens(req);
  if (readCookie(req, sessionCookie(origin)) === undefined) guard.missing();
  const token = tokenOf(req, origin);
  try {
    return await guard.lookUp(() => call(token));
  } catch (error) {
    if (isAuthenticationProblem(error)) guard.bad();
    throw error;
  }
}

/** The session of the console's cookie, which this request uses. Problems: those of `withToken`. */
export function sessionOf(
  ctx: Guarded & { consoleAccess: Client<typeof ConsoleService> },
  req: IncomingMessage,
  origin: string,
): Promise<ConsoleSession> {
  return withToken(ctx, { req, origin }, async (token) => {
    const { session } = await ctx.consoleAccess.resumeConsoleSession({ token });
    return session ?? fail('authentication_required');
  });
}
