import { claimRules, timeRules } from './claim-rules.ts';
import { headerRules } from './header-rules.ts';
import type { Rule } from './rule.ts';
import { signerRules } from './signer-rules.ts';

const formRule: Rule = { name: 'token.form', check: ({ token }) => token.flaw };

/** SPEC Identity token: what can be said of a token whenever it is looked at. The first broken rule is the answer. */
export const structureRules: readonly Rule[] = [formRule, ...headerRules, ...signerRules, ...claimRules];

/** Everything but the nonce and the user's suspension, which the transaction of the login decides. */
export const loginRules: readonly Rule[] = [...structureRules, ...timeRules];
