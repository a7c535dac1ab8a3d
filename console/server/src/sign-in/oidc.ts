import { AuthorizationResponseError } from 'openid-client';
import type { ActingPerson } from '@parley/domain/actor';
import type { ConsoleCall } from './endpoints.ts';
import { readCookie, sessionCookie, setCookie } from '../access/cookie.ts';
import type { Grant } from '../access/principal.ts';
import { returnPathOf } from '../oidc/return-path.ts';
import { grantsOf, type Claims } from '../oidc/roles.ts';
import { SIGN_IN_SECONDS } from '../oidc/seal.ts';

const CALLBACK = '/console/sign-in/oidc/callback';
const MAX_NAME = 200;

/** Why a sign-in did not end well; the page of the console says it in words. */
type Failure =
  | 'sign_in_expired'
  | 'sign_in_refused'
  | 'no_role'
  | 'identity_provider_unavailable'
  | 'sign_out_unavailable';

/** Sends the browser to the identity provider. */
export async function startOidc(call: ConsoleCall): Promise<void> {
  const { ctx, req, res, origin } = call;
  ctx.limitSignIn(req);
  const { provider, seal } = ctx.consoleSignIn;
  if (!provider) return failWith(call, 'sign_in_refused');
  try {
    const { url, signIn } = await provider.begin(origin + CALLBACK);
    const returnTo = returnPathOf(req.query['return_to'], origin);
    res.append(
      'set-cookie',
      setCookie(signInCookie(origin), await seal.close({ ...signIn, returnTo }), SIGN_IN_SECONDS),
    );
    res.redirect(url.href);
  } catch (error) {
    ctx.log.warn({ error }, 'failed to reach the identity provider; the sign-in ends');
    failWith(call, 'identity_provider_unavailable');
  }
}

/** Takes the browser back from the identity provider: any process of the console's server does. */
export async function finishOidc(call: ConsoleCall): Promise<void> {
  const { ctx, req, res, origin } = call;
  ctx.limitSignIn(req);
  const { provider, seal } = ctx.consoleSignIn;
  const sealed = readCookie(req, signInCookie(origin));
  res.append('set-cookie', setCookie(signInCookie(origin), '', 0));
  const signIn = sealed === undefined ? undefined : await seal.open(sealed);
  if (!provider || !signIn) return refuse(call, 'sign_in_expired');
  let claims: Claims & { iss: string; sub: string };
  try {
    claims = await provider.finish(new URL(req.originalUrl, origin), signIn);
  } catch (error) {
    ctx.log.warn({ error }, 'failed to finish a sign-in with the identity provider');
    return refuse(call, error instanceof AuthorizationResponseError ? 'sign_in_refused' : 'sign_in_expired');
  }
  const grants = grantsOf(claims, ctx.config.oidc);
  if (grants.length === 0) return refuse(call, 'no_role', { issuer: claims.iss, subject: claims.sub });
  await openSession(call, claims, grants);
  res.redirect(303, returnPathOf(signIn.returnTo, origin));
}

/**
 * Sends the browser to where the identity provider ends its own session (RP-initiated logout). The console gives no ID token, since it
 * keeps none, so the provider asks the person.
 */
export async function endProviderSession(call: ConsoleCall): Promise<void> {
  const { ctx, req, res } = call;
  ctx.limitSignIn(req);
  const { provider } = ctx.consoleSignIn;
  try {
    const url = await provider?.endSessionUrl();
    if (!url) return failWith(call, 'sign_out_unavailable');
    res.redirect(303, url.href);
  } catch (error) {
    ctx.log.warn({ error }, 'failed to reach the identity provider; its session stays');
    failWith(call, 'identity_provider_unavailable');
  }
}

async function openSession(
  { ctx, res, origin }: ConsoleCall,
  claims: Claims & { iss: string; sub: string },
  grants: Grant[],
): Promise<void> {
  const person = { issuer: claims.iss, subject: claims.sub, name: nameOf(claims) };
  const roles = grants.map(({ role, appId }) => (appId === undefined ? { role } : { role, appId }));
  const { token, session } = await ctx.consoleAccess.openConsoleSession({ person, roles });
  const maxAge = Math.floor(((session?.expiresAt ?? 0) - ctx.clock.now()) / 1_000);
  res.append('set-cookie', setCookie(sessionCookie(origin), token, maxAge));
}

function nameOf(claims: Claims & { sub: string }): string {
  const names = [claims['name'], claims['preferred_username'], claims['email'], claims.sub];
  return String(names.find((name) => typeof name === 'string' && name !== '')).slice(0, MAX_NAME);
}

/** With an entry of the audit log. */
async function refuse(call: ConsoleCall, failure: Failure, person?: ActingPerson): Promise<void> {
  await call.ctx.auditLog.refusedBy(
    {
      actor: 'unknown',
      person,
      method: `GET ${CALLBACK}`,
      action: 'sign_in.refused',
      appId: undefined,
      subject: '',
      namesUser: false,
    },
    failure,
  );
  failWith(call, failure);
}

function failWith({ res }: ConsoleCall, failure: Failure): void {
  res.redirect(303, `/console/sign-in?error=${failure}`);
}

/** Lax, since the browser comes back from another site. */
function signInCookie(origin: string) {
  return { origin, name: 'sign_in', sameSite: 'lax' as const };
}
