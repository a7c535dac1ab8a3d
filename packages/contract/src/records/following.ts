import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { identityInput } from '../schema/ids.ts';

export const FollowedUserIds = Type.Array(Type.String({ description: 'A user id.', examples: ['bob'] }), {
  description: 'User ids, in the order of the ids.',
});
export type FollowedUserIds = Static<typeof FollowedUserIds>;

export const UsersToFollow = Type.Array(identityInput('A user.'), {
  maxItems: limits.followedAtOnce,
  description: `At most ${limits.followedAtOnce} users.`,
});
export type UsersToFollow = Static<typeof UsersToFollow>;
