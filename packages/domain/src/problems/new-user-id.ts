import { fail } from './problem.ts';

/** Refuses a user id that new users cannot get, though users of earlier releases may have it. docs/protocol/requests.md#user-ids */
export function failNewUserId(): never {
  return fail('invalid_property', {
    property: 'user_id',
    message: 'user_id must not be "." or "..", and must not begin with a word and ":///".',
  });
}
