/**
 * Why an identity token is refused, by the reason in `data` of the error.
 * docs/protocol/authentication.md#rules-of-an-identity-token
 */
export const REASONS = {
  eit_claim_not_found: 'A claim of the identity token is missing.',
  eit_claim_wrong_type: 'A claim of the identity token has a value of the wrong type.',
  eit_expired: 'The identity token is past its exp.',
  eit_header_param_not_found: 'A header parameter of the identity token is missing.',
  eit_header_param_wrong_type: 'A header parameter of the identity token has the wrong type.',
  eit_header_param_wrong_value: 'A header parameter of the identity token has the wrong value.',
  eit_key_deleted: 'The key in kid was deleted.',
  eit_key_disabled: 'The key in kid is disabled.',
  eit_key_malformed: 'The key id in kid is not a UUID.',
  eit_key_not_found: 'The key in kid does not exist, or does not belong to the provider in iss.',
  eit_malformed_base64url: 'A part of the identity token is not base64url.',
  eit_malformed_json: 'A part of the identity token is not a JSON object.',
  eit_nonce_not_found: 'The nonce in nce is unknown, expired or used.',
  eit_not_before: 'The identity token is used before its iat.',
  eit_provider_not_bound_to_app: 'The provider in iss is not bound to the application.',
  eit_provider_not_found: 'The claim iss does not hold the id of a provider.',
  eit_signature_verification_failed: 'The signature of the identity token does not match the key in kid.',
  eit_user_suspended: 'The user in prn is suspended.',
  eit_wrong_jws_part_count: 'The identity token does not have three parts.',
} as const;

export type Reason = keyof typeof REASONS;

export const TOKEN_REASONS = Object.keys(REASONS);
