import { fail } from './problem.ts';

/** Refuses a page that would begin after an item which is not in the list. Problems: invalid_property. */
export function failUnknownFromId(): never {
  return fail('invalid_property', {
    property: 'from_id',
    message: 'from_id is not the id of an item of this list.',
  });
}
