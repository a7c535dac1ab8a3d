import type { Wire } from '@parley/domain/wire';
import type { SignerRow } from '../sql/signer.ts';
import type { VerificationKeys } from './verification-keys.ts';
import type { ParsedToken } from './parse-token.ts';
import type { Reason } from '@parley/contract/token-reasons';

/** Everything that the rules may use. */
export type Evidence = {
  wire: Wire;
  now: number;
  appId: string;
  token: ParsedToken;
  signer: SignerRow;
  keys: VerificationKeys;
  /** Whether the user of the token exists. Looked up only for a user id that no new user gets. */
  userExists: boolean;
};

export type Rule = {
  /** e.g. "header.typ" */
  name: string;
  /** Why the token breaks the rule; undefined if it does not. A rule may rely on the rules before it. */
  check(evidence: Evidence): Reason | undefined | Promise<Reason | undefined>;
};
