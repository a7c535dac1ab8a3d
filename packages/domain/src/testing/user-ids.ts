import { ODD_NAMES } from '@parley/contract/testing/odd-names';
import fc from 'fast-check';
import { isUserId } from '../user-id.ts';

/** Every text that a user may have as an id, including ids that new users cannot get; odd ones often. */
export function anyUserId(): fc.Arbitrary<string> {
  const pieces = fc.constantFrom(
    ...ODD_NAMES.filter((name) => name.length < 40),
    'a',
    'svc',
    ':///',
    'identities',
  );
  return fc
    .oneof(
      fc.constantFrom(...ODD_NAMES),
      fc.array(pieces, { minLength: 1, maxLength: 5 }).map((some) => some.join('')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }),
    )
    .filter(isUserId);
}
