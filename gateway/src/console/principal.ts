import type { IncomingMessage } from 'node:http';
import { fail } from '@parley/domain/problems';
import type { ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import { isAuthenticationProblem } from '../auth/problem.ts';
import type { GatewayContext } from '../context.ts';
import { readCookie, sessionCookie } from './cookie.ts';

/** The token in the console's cookie. Problems: authentication_required. */
export function tokenOf(req: IncomingMessage, origin: string): string {
  const token = readCookie(req, sessionCookie(origin));
  return token ?? fail('authentication_required', { message: 'Sign in to the console first.' });
}

/** The session of the console's cookie, which this request uses. Problems: authentication_required, rate_limit_exceeded. */
export async function sessionOf(
  { consoleAccess, limits }: Pick<GatewayContext, 'consoleAccess' | 'limits'>,
  req: IncomingMessage,
  origin: string,
): Promise<ConsoleSession> {
  const token = tokenOf(req, origin);
  const guard = limits.failedTokens(req);
  try {
    const { session } = await guard.lookUp(() => consoleAccess.resumeConsoleSession({ token }));
    return session ?? fail('authentication_required');
  } catch (error) {
    if (isAuthenticationProblem(error)) guard.bad();
    throw error;
  }
}
