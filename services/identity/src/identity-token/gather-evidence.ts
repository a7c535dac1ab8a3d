import type { Context } from '../context.ts';
import { findSigner } from '../sql/signer.ts';
import { parseToken } from './parse-token.ts';
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
  return signer && { wire: ctx.wire, now: ctx.clock.now(), appId, token, signer, keys: ctx.verificationKeys };
}
