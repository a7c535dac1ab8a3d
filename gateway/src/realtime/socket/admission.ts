import type { IncomingMessage } from 'node:http';
import { problemOf, retryHeaders, toHttp } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import type { SessionCaller } from '../../admission/auth/index.ts';
import type { Uses } from '../context.ts';
import { challenge } from '@parley/http/errors/error-answer';
import type { Refusal } from './refusal.ts';
import { isSocketPath, offerOf, type Offer } from './upgrade.ts';

export type Admitted = {
  caller: SessionCaller;
  /** Whether the socket speaks an extended subprotocol. */
  isExtended: boolean;
  isLean: boolean;
  /** Releases the user's slot, when the socket has closed or could not be opened. */
  leave: () => void;
};

export type Admission = Admitted | Refusal;

/** The refusal of a client without a valid session. */
export function unauthenticated(wire: Wire): Refusal {
  const headers = { 'www-authenticate': challenge({ wire }, [wire.authScheme]) };
  return { status: 401, error: 'authentication_required', headers };
}

/**
 * Checks an upgrade before its handshake, cheap checks first. Rejects only when a service is unavailable.
 * docs/protocol/websocket.md#when-an-upgrade-is-refused
 */
export async function admit(
  ctx: Uses<'auth' | 'errorDocs' | 'limits' | 'wire'>,
  request: IncomingMessage,
): Promise<Admission> {
  let caller: SessionCaller | undefined;
  try {
    // Checked before the headers are parsed.
    ctx.limits.upgradeFrom(request);
    const offer = offerOf(ctx.wire, request);
    if (!isSocketPath(offer.path)) return { status: 404, error: 'invalid_endpoint' };
    if (!offer.subprotocol) return { status: 400, error: 'invalid_header' };
    caller = await findCaller(ctx, request, offer);
    return caller ? admitCaller(ctx, caller, offer) : unauthenticated(ctx.wire);
  } catch (error) {
    const { id } = problemOf(error) ?? {};
    if (id === 'access_denied') return { status: 403, error: id, caller };
    if (id !== 'rate_limit_exceeded') throw error;
    return { status: 429, error: id, headers: retryHeaders(toHttp(error, ctx.errorDocs)), caller };
  }
}

async function findCaller(
  { auth, limits }: Uses<'auth' | 'limits'>,
  request: IncomingMessage,
  { token }: Offer,
): Promise<SessionCaller | undefined> {
  const { authorization, origin } = request.headers;
  return auth.sessionOfUpgrade({ authorization, token, origin }, limits.failedTokens(request));
}

function admitCaller(
  { limits }: Uses<'limits'>,
  caller: SessionCaller,
  { isExtended, isLean }: Pick<Offer, 'isExtended' | 'isLean'>,
): Admitted {
  limits.upgrade(caller.sessionId);
  return { caller, isExtended, isLean, leave: limits.socketSlots.take(caller) };
}
