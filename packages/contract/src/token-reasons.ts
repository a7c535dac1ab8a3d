/** Why an identity token is refused, by the reason in `data` of the error. SPEC Errors */
export const REASONS = {
  eit_claim_not_found: 'a claim is missing',
  eit_claim_wrong_type: 'a claim has the wrong value type',
  eit_expired: 'the token is past its exp',
  eit_header_param_not_found: 'a header parameter is missing',
  eit_header_param_wrong_type: 'a header parameter has the wrong type',
  eit_header_param_wrong_value: 'a header parameter has the wrong value',
  eit_key_deleted: 'the key in kid was deleted',
  eit_key_disabled: 'the key in kid was disabled',
  eit_key_malformed: 'the key id in kid is invalid',
  eit_key_not_found: 'the key in kid is not found',
  eit_malformed_base64url: 'the token is not base64url encoded',
  eit_malformed_json: 'the token parts are not valid JSON',
  eit_nonce_not_found: 'the nonce is not found or expired',
  eit_not_before: 'the token is used before its iat time',
  eit_provider_not_bound_to_app: 'the provider in iss is not bound to the application',
  eit_provider_not_found: 'iss does not hold a valid provider id',
  eit_signature_verification_failed: 'the signature does not match the key in kid',
  eit_user_suspended: 'the user in prn is suspended',
  eit_wrong_jws_part_count: 'the token does not have three parts',
} as const;

export type Reason = keyof typeof REASONS;

export const TOKEN_REASONS = Object.keys(REASONS);
