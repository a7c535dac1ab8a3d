import { fail } from '@parley/domain/problems';
import { ownProperty, type JsonObject } from './parse-token.ts';
import { REASONS, type Reason } from '@parley/contract/token-reasons';
import type { Evidence } from './rule.ts';
import { LOGIN_RULES } from './rules.ts';

/** Claims of a token that breaks no rule. */
export type Claims = {
  userId: string;
  nonce: string;
  /** Profile, from the claims that are present. */
  profile: { displayName?: string; avatarUrl?: string; firstName?: string; lastName?: string };
};

/** Fails with the first broken rule. The caller checks the nonce and the user's suspension. */
export async function verifyToken(evidence: Evidence): Promise<Claims> {
  for (const rule of LOGIN_RULES) {
    const reason = await rule.check(evidence);
    if (reason) failWithReason(reason);
  }
  return readClaims(evidence.token.claims);
}

/** Fails with invalid_property (identity_token), the reason in `data`. */
export function failWithReason(reason: Reason): never {
  return fail('invalid_property', {
    message: REASONS[reason],
    property: 'identity_token',
    data: { reason },
  });
}

function readClaims(claims: JsonObject): Claims {
  const text = (name: string): string | undefined => {
    const value = ownProperty(claims, name);
    return typeof value === 'string' ? value : undefined;
  };
  const profile = {
    displayName: text('display_name'),
    avatarUrl: text('avatar_url'),
    firstName: text('first_name'),
    lastName: text('last_name'),
  };
  return { userId: text('prn') ?? '', nonce: text('nce') ?? '', profile: withoutUndefined(profile) };
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
