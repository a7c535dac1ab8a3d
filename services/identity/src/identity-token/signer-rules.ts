import { compactVerify } from 'jose';
import { ownProperty } from './parse-token.ts';
import { providerReference } from './references.ts';
import type { Reason } from '@parley/contract/token-reasons';
import type { Evidence, Rule } from './rule.ts';

export const SIGNER_RULES: readonly Rule[] = [
  { name: 'claims.iss', check: checkProvider },
  { name: 'signature', check: checkSignature },
];

function checkProvider({ wire, appId, token, signer }: Evidence): Reason | undefined {
  const iss = ownProperty(token.claims, 'iss');
  if (iss === undefined) return 'eit_claim_not_found';
  if (typeof iss !== 'string') return 'eit_claim_wrong_type';
  if (!providerReference(wire, token)?.uuid || !signer.provider_id) return 'eit_provider_not_found';
  if (signer.provider_app_id !== appId) return 'eit_provider_not_bound_to_app';
  // A key belongs to one provider.
  return signer.key_provider_id === signer.provider_id ? undefined : 'eit_key_not_found';
}

// The algorithm is always RS256; the header does not choose it.
async function checkSignature({ token, signer, keys }: Evidence): Promise<Reason | undefined> {
  if (!signer.public_key) return 'eit_signature_verification_failed';
  const key = await keys.get(signer.public_key);
  const verified = await compactVerify(token.text, key, { algorithms: ['RS256'] }).catch(() => undefined);
  return verified ? undefined : 'eit_signature_verification_failed';
}
