import { fail } from './problem.ts';

/** Refuses to begin a page after an item that the list does not have. Problems: invalid_property. */
export function failUnknownFromId(): never {
  return fail('invalid_property', {
    property: 'from_id',
    message: 'from_id is not the id of an item of this list.',
  });
}
