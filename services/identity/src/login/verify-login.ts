import { parseAppUri } from '@parley/domain/ids';
import { requireAllowedOrigin } from '@parley/domain/http/origins';
import { fail } from '@parley/domain/problems';
import type { Context } from '../context.ts';
import { readNonce, type NonceUse } from './nonce.ts';
import { isNonceUsed } from '../sql/used-nonce.ts';
import { gatherEvidence } from '../identity-token/gather-evidence.ts';
import type { Evidence } from '../identity-token/rule.ts';
import { failWithReason, verifyToken, type Claims } from '../identity-token/verify-token.ts';

/** A login whose token breaks no rule. Whether its nonce was used already is not checked yet. */
export type Login = { appId: string; signer: Evidence['signer']; claims: Claims; nonce: NonceUse };

type LoginRequest = { appId: string; identityToken: string; origin?: string | undefined };

/** Writes nothing. Problems: invalid_app_id, app_suspended, access_denied (origin), invalid_property (identity_token). */
export async function verifyLogin(ctx: Context, request: LoginRequest): Promise<Login> {
  const evidence = await gatherForApp(ctx, request);
  const claims = await verifyToken(evidence);
  const { nonceSecret, acceptedNonceSecrets } = ctx.config;
  const nonce = readNonce([nonceSecret, ...acceptedNonceSecrets], claims.nonce, ctx.clock.now());
  if (!nonce) return failWithReason('eit_nonce_not_found');
  return { appId: evidence.appId, signer: evidence.signer, claims, nonce };
}

/** Verifies a login, and fails if its nonce was used already. */
export async function verifyFreshLogin(ctx: Context, request: LoginRequest): Promise<void> {
  const { nonce } = await verifyLogin(ctx, request);
  if (await isNonceUsed(ctx.db, nonce.hash)) failWithReason('eit_nonce_not_found');
}

async function gatherForApp(ctx: Context, { appId, identityToken, origin }: LoginRequest): Promise<Evidence> {
  const app = parseAppUri(ctx.wire, appId);
  const evidence = app && (await gatherEvidence(ctx, app.appId, identityToken));
  if (!evidence || evidence.signer.environment !== app.environment) return fail('invalid_app_id');
  if (evidence.signer.suspended) return fail('app_suspended');
  requireAllowedOrigin(evidence.signer.allowed_origins, origin);
  return evidence;
}
