import { EXAMPLE } from '../schema/ids.ts';
import type { Reason } from '../token-reasons.ts';
import type { ReasonDoc } from './error-doc.ts';

const FIX_PROVIDER = 'Correct the code of the provider that signs identity tokens';

/** Documentation of each reason for which an identity token is refused. */
export const reasonDocs: Readonly<Record<Reason, ReasonDoc>> = {
  eit_claim_not_found: {
    cause: 'One of the claims iss, prn, iat, exp and nce is missing.',
    example: `{"iss": "svc:///providers/${EXAMPLE.part}", "prn": "ada", "iat": 1795000000, "exp": 1795000120}`,
    remedy: `${FIX_PROVIDER}: all five claims are required.`,
  },
  eit_claim_wrong_type: {
    cause:
      'A claim has a value of the wrong type or beyond its limit: iat and exp are numbers of seconds, prn is a user id, iss and nce are strings, and names and addresses are strings of limited length. Null is no value.',
    example: '{"prn": 4711, "iat": "2026-11-20T20:15:30Z"}',
    remedy: `${FIX_PROVIDER}: send each claim in its type, and leave out optional claims that have no value.`,
  },
  eit_expired: {
    cause: 'The time in exp is past. No clock skew is allowed.',
    example: '{"iat": 1795000000, "exp": 1795000120}',
    remedy:
      'Have a new token signed for each login, valid for some minutes, and synchronise the clock of the provider.',
  },
  eit_header_param_not_found: {
    cause: 'One of the header parameters typ, alg, cty and kid is missing.',
    example: '{"typ": "JWT", "alg": "RS256", "cty": "svc-eit;v=1"}',
    remedy: `${FIX_PROVIDER}: all four parameters are required.`,
  },
  eit_header_param_wrong_type: {
    cause: 'A header parameter is not a string.',
    example: '{"typ": "JWT", "alg": "RS256", "cty": "svc-eit;v=1", "kid": 1}',
    remedy: `${FIX_PROVIDER}: all parameters are strings.`,
  },
  eit_header_param_wrong_value: {
    cause: 'The header is not typ JWT, alg RS256 and cty svc-eit;v=1, or it has the parameter crit.',
    example: '{"typ": "JWT", "alg": "HS256", "cty": "svc-eit;v=1"}',
    remedy: `${FIX_PROVIDER}: sign with RS256 and set the three parameters to those values.`,
  },
  eit_key_deleted: {
    cause: 'The key in kid was deleted.',
    example: `{"kid": "svc:///keys/${EXAMPLE.part}"}`,
    remedy: 'Sign with another key of the provider, or create one.',
  },
  eit_key_disabled: {
    cause: 'The key in kid is disabled.',
    example: `{"kid": "svc:///keys/${EXAMPLE.part}"}`,
    remedy: 'Enable the key in the administration API, or sign with another key of the provider.',
  },
  eit_key_malformed: {
    cause: 'What follows the prefix svc:///keys/ in kid is not a UUID.',
    example: '{"kid": "svc:///keys/my-key"}',
    remedy: 'Copy the id of the key as the administration API shows it.',
  },
  eit_key_not_found: {
    cause:
      'The value of kid does not begin with svc:///keys/, the key does not exist, or it belongs to another provider than that in iss.',
    example: `{"kid": "${EXAMPLE.part}"}`,
    remedy: 'Use the whole URI of a key of the provider in iss.',
  },
  eit_malformed_base64url: {
    cause: 'A part of the token has characters that base64url does not have, such as +, / or =.',
    example: 'eyJ0eXAiOiJKV1QifQ==.eyJwcm4iOiJhZGEifQ==.c2lnbmF0dXJl',
    remedy: `${FIX_PROVIDER}: encode each part as base64url without padding, and do not alter the token on its way.`,
  },
  eit_malformed_json: {
    cause:
      'The first or second part of the token, once decoded, is not a JSON object in UTF-8, or is nested deeper than 64 levels.',
    example: "{'prn': 'ada'}",
    remedy: `${FIX_PROVIDER}: build header and claims with a JSON serialiser.`,
  },
  eit_nonce_not_found: {
    cause: 'The nonce in nce was not issued by this platform, is older than ten minutes, or has been used.',
    example: '{"nce": "used-before"}',
    remedy: 'Request a new nonce for each login and have a token signed with it at once.',
  },
  eit_not_before: {
    cause: 'The time in iat is more than a minute ahead.',
    example: '{"iat": 4102444800, "exp": 4102444920}',
    remedy: 'Synchronise the clock of the provider, and send seconds, not milliseconds.',
  },
  eit_provider_not_bound_to_app: {
    cause: 'The provider in iss belongs to another application than that in app_id.',
    example: `{"iss": "svc:///providers/${EXAMPLE.part}"}`,
    remedy: 'Use the provider of the application that the user logs in to.',
  },
  eit_provider_not_found: {
    cause: 'The value of iss is not the URI of a provider, or the provider does not exist.',
    example: '{"iss": "https://accounts.example.com"}',
    remedy: 'Copy the id of the provider as the administration API shows it.',
  },
  eit_signature_verification_failed: {
    cause:
      'The signature was not made over this header and these claims with the private key that belongs to kid.',
    example: 'A token that was signed with a key that has been replaced.',
    remedy:
      'Check that kid names the key that the provider signs with. The administration API can validate a token and list the rules that it breaks.',
  },
  eit_user_suspended: {
    cause: 'The user in prn is suspended.',
    example: '{"prn": "mallory"}',
    remedy: 'Resume the user by PATCH of `/apps/…/users/…`.',
  },
  eit_wrong_jws_part_count: {
    cause: 'The token does not consist of three parts with dots between them.',
    example: 'eyJ0eXAiOiJKV1QifQ.eyJwcm4iOiJhZGEifQ',
    remedy: `${FIX_PROVIDER}: send the token in the compact serialisation, with its signature and not encrypted.`,
  },
};
