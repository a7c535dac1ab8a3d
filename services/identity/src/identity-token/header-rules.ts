import { ownProperty } from './parse-token.ts';
import { keyReference } from './references.ts';
import type { Evidence, Rule } from './rule.ts';
import type { Reason } from '@parley/contract/token-reasons';

export const HEADER_RULES: readonly Rule[] = [
  { name: 'header.typ', check: (evidence) => checkParam(evidence, 'typ', 'JWT') },
  { name: 'header.alg', check: (evidence) => checkParam(evidence, 'alg', 'RS256') },
  { name: 'header.cty', check: (evidence) => checkParam(evidence, 'cty', evidence.wire.tokenContentType) },
  // `crit` names parameters that must be understood; none is supported.
  {
    name: 'header.crit',
    check: ({ token }) =>
      ownProperty(token.header, 'crit') === undefined ? undefined : 'eit_header_param_wrong_value',
  },
  { name: 'header.kid', check: checkKey },
];

function checkParam({ token }: Evidence, name: string, expected: string): Reason | undefined {
  const value = ownProperty(token.header, name);
  if (value === undefined) return 'eit_header_param_not_found';
  if (typeof value !== 'string') return 'eit_header_param_wrong_type';
  return value === expected ? undefined : 'eit_header_param_wrong_value';
}

function checkKey({ wire, token, signer }: Evidence): Reason | undefined {
  const kid = ownProperty(token.header, 'kid');
  if (kid === undefined) return 'eit_header_param_not_found';
  if (typeof kid !== 'string') return 'eit_header_param_wrong_type';
  const reference = keyReference(wire, token);
  if (!reference) return 'eit_key_not_found';
  if (!reference.uuid) return 'eit_key_malformed';
  if (!signer.key_id) return 'eit_key_not_found';
  if (signer.key_deleted) return 'eit_key_deleted';
  return signer.key_disabled ? 'eit_key_disabled' : undefined;
}
