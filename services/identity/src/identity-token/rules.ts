import { CLAIM_RULES, TIME_RULES } from './claim-rules.ts';
import { HEADER_RULES } from './header-rules.ts';
import type { Rule } from './rule.ts';
import { SIGNER_RULES } from './signer-rules.ts';

const FORM_RULE: Rule = { name: 'token.form', check: ({ token }) => token.flaw };

/**
 * Rules that do not depend on the time of the check. The first broken rule decides the reason:
 * docs/protocol/authentication.md#rules-of-an-identity-token
 */
export const STRUCTURE_RULES: readonly Rule[] = [FORM_RULE, ...HEADER_RULES, ...SIGNER_RULES, ...CLAIM_RULES];

/** All rules but the nonce's and the user's suspension, which the transaction of the login checks. */
export const LOGIN_RULES: readonly Rule[] = [...STRUCTURE_RULES, ...TIME_RULES];
