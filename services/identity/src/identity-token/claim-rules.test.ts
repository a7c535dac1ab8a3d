import fc from 'fast-check';
import { IdentityTokenClaims } from '@parley/contract/records/session';
import { defectsOf } from '@parley/contract/testing/defects';
import { validValues } from '@parley/contract/testing/valid-values';
import { CLAIM_RULES } from './claim-rules.ts';
import type { JsonObject } from './parse-token.ts';
import type { Evidence } from './rule.ts';

const CLAIMS = validValues(IdentityTokenClaims).map((claims) => claims as JsonObject);

/** The rules of claims look at nothing but the token. */
function brokenRules(claims: JsonObject): string[] {
  const evidence = { token: { text: '', flaw: undefined, header: {}, claims } } as Evidence;
  return CLAIM_RULES.filter((rule) => rule.check(evidence) !== undefined).map(({ name }) => name);
}

test('claims that the contract accepts break no rule', () => {
  fc.assert(
    fc.property(CLAIMS, (claims) => {
      expect(brokenRules(claims)).toEqual([]);
    }),
  );
});

test('a claim that the contract refuses breaks its own rule', () => {
  fc.assert(
    fc.property(CLAIMS, (claims) => {
      for (const { path, value } of defectsOf(IdentityTokenClaims, claims)) {
        // The provider is looked up.
        if (path === '' || path === 'iss') continue;
        expect(brokenRules(value as JsonObject)).toEqual([`claims.${path}`]);
      }
    }),
    { numRuns: 20 },
  );
});
