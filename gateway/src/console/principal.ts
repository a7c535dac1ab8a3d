import type { IncomingMessage } from 'node:http';
import { fail } from '@parley/domain/problems';
import type { ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { GatewayContext } from '../context.ts';
import { readCookie, sessionCookie } from './cookie.ts';

/** The token in the console's cookie. Problems: authentication_required. */
export function tokenOf(req: IncomingMessage, origin: string): string {
  const token = readCookie(req, sessionCookie(origin));
  return token ?? fail('authentication_required', { message: 'Sign in to the console first.' });
}

/** The session of the console's cookie, which this request uses. Problems: authentication_required. */
export async function sessionOf(
  { consoleAccess }: Pick<GatewayContext, 'consoleAccess'>,
  req: IncomingMessage,
  origin: string,
): Promise<ConsoleSession> {
  const { session } = await consoleAccess.resumeConsoleSession({ token: tokenOf(req, origin) });
  return session ?? fail('authentication_required');
}
