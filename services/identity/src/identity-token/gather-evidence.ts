import { isNewUserId, isUserId } from '@parley/domain/user-id';
import type { Context } from '../context.ts';
import { findSigner } from '../sql/signer.ts';
import { findIdentities } from '../sql/identity.ts';
import { ownProperty, parseToken, type ParsedToken } from './parse-token.ts';
import { keyReference, providerReference } from './references.ts';
import type { Evidence } from './rule.ts';

/** Reads the records that a token is checked against; undefined if there is no such application. */
export async function gatherEvidence(
  ctx: Context,
  appId: string,
  text: string,
): Promise<Evidence | undefined> {
  const token = parseToken(text);
  const signer = await findSigner(ctx.db, {
    appId,
    keyId: keyReference(ctx.wire, token)?.uuid,
    providerId: providerReference(ctx.wire, token)?.uuid,
  });
  if (!signer) return undefined;
  const { wire, clock, verificationKeys: keys } = ctx;
  const userExists = await isKnownOddUser(ctx, appId, token);
  return { wire, now: clock.now(), appId, token, signer, keys, userExists };
}

/** Whether the token is of a user who exists although no new user gets such an id. */
async function isKnownOddUser(ctx: Context, appId: string, { claims }: ParsedToken): Promise<boolean> {
  const userId = ownProperty(claims, 'prn');
  if (typeof userId !== 'string' || !isUserId(userId) || isNewUserId(userId)) return false;
  const [identity] = await findIdentities(ctx.db, appId, [userId]);
  return identity !== undefined && !identity.deleted;
}
