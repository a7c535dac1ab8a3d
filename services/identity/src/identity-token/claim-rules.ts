import { isNewUserId, isUserId } from '@parley/domain/ids';
import { limits } from '@parley/contract/limits';
import { isStorable } from '../identity/fields.ts';
import { ownProperty } from './parse-token.ts';
import type { Reason } from '@parley/contract/token-reasons';
import type { Evidence, Rule } from './rule.ts';

/** How far the clocks of login backends may be ahead. docs/protocol/authentication.md#identity-tokens */
const SKEW_MS = 60_000;

export const CLAIM_RULES: readonly Rule[] = [
  required(
    'prn',
    (value, { userExists }) =>
      typeof value === 'string' && (isNewUserId(value) || (userExists && isUserId(value))),
  ),
  required('iat', isSeconds),
  required('exp', isSeconds),
  required('nce', (value) => typeof value === 'string'),
  optionalText('first_name', limits.firstName),
  optionalText('last_name', limits.lastName),
  optionalText('display_name', limits.displayName),
  optionalText('avatar_url', limits.avatarUrl),
];

export const TIME_RULES: readonly Rule[] = [
  {
    name: 'time.exp',
    check: (evidence) => (evidence.now >= secondsOf(evidence, 'exp') ? 'eit_expired' : undefined),
  },
  {
    name: 'time.iat',
    check: (evidence) => (evidence.now + SKEW_MS < secondsOf(evidence, 'iat') ? 'eit_not_before' : undefined),
  },
];

function required(name: string, isRight: (value: unknown, evidence: Evidence) => boolean): Rule {
  return {
    name: `claims.${name}`,
    check: (evidence) => {
      const value = ownProperty(evidence.token.claims, name);
      if (value === undefined) return 'eit_claim_not_found';
      return isRight(value, evidence) ? undefined : 'eit_claim_wrong_type';
    },
  };
}

function optionalText(name: string, maxLength: number): Rule {
  return {
    name: `claims.${name}`,
    check: ({ token }): Reason | undefined => {
      const value = ownProperty(token.claims, name);
      const right = value === undefined || (typeof value === 'string' && isStorable(value, maxLength));
      return right ? undefined : 'eit_claim_wrong_type';
    },
  };
}

function isSeconds(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function secondsOf({ token }: Evidence, name: string): number {
  return Number(ownProperty(token.claims, name)) * 1000;
}
