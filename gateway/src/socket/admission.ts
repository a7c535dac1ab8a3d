import type { IncomingMessage } from 'node:http';
import { problemOf, retryHeaders, toHttp } from '@parley/domain/problems';
import type { SessionCaller } from '../auth/index.ts';
import type { GatewayContext } from '../context.ts';
import { challenge } from '../http/errors.ts';
import { isSocketPath, offeredProtocols, targetOf, type Refusal } from './upgrade.ts';

export type Admitted = {
  caller: SessionCaller;
  /** Releases the user's place, when the socket has closed or could not be opened. */
  leave: () => void;
};

export type Admission = Admitted | Refusal;

/** Checks an upgrade before its handshake, cheap checks first. Rejects only when a service is unavailable. SPEC completions 6 */
export async function admit(ctx: GatewayContext, request: IncomingMessage): Promise<Admission> {
  const { path, token } = targetOf(request);
  if (!isSocketPath(path)) return { status: 404 };
  if (!offeredProtocols(request).includes(ctx.wire.subprotocol)) return { status: 400 };
  try {
    return await admitCaller(ctx, request, token);
  } catch (error) {
    const { id } = problemOf(error) ?? {};
    if (id === 'access_denied') return { status: 403 };
    if (id !== 'rate_limit_exceeded') throw error;
    return { status: 429, headers: retryHeaders(toHttp(error, ctx.errorDocs)) };
  }
}

async function admitCaller(
  { auth, limits, wire }: GatewayContext,
  request: IncomingMessage,
  queryToken: string | null,
): Promise<Admission> {
  limits.upgradeFrom(request);
  const { authorization, origin } = request.headers;
  const given = { authorization, queryToken, origin };
  const caller = await auth.sessionOfUpgrade(given, limits.failedTokens(request));
  if (!caller)
    return { status: 401, headers: { 'www-authenticate': challenge({ wire }, [wire.authScheme]) } };
  limits.upgrade(caller.sessionId);
  return { caller, leave: limits.socketSlots.take(caller) };
}
