import { limits } from '../limits.ts';
import { FollowedUserIds, UsersToFollow } from '../records/following.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Operation, Operations } from './operation.ts';

type WithoutId = Omit<Operation, 'id'>;

const LIST: WithoutId = {
  tag: 'Following',
  description:
    'The ids of the users whom a user follows: those with whom they ever shared a conversation and those whom they chose to follow, but for those whom they unfollowed.',
  parameters: pageParameters(limits.followingPage, 'users'),
  success: {
    200: {
      description: 'A page of user ids.',
      headers: COUNT_HEADER,
      body: { schema: FollowedUserIds, example: ['bob'] },
    },
  },
  errors: ['not_found', 'invalid_property'],
};

const FOLLOW_SEVERAL: WithoutId = {
  tag: 'Following',
  description:
    'Follows several users. It is done in the background; users who do not exist are skipped. A user that is not valid is refused with `data.property` = `user_ids`.',
  body: { schema: UsersToFollow, example: ['bob', 'svc:///identities/grace'], required: true },
  success: { 202: { description: 'The users will be followed.' } },
  errors: ['not_found', 'invalid_property'],
};

const IS_FOLLOWED: WithoutId = {
  tag: 'Following',
  description: 'Whether a user follows another user.',
  success: { 204: { description: 'The user is followed.' } },
  errors: ['not_found'],
};

const FOLLOW: WithoutId = {
  tag: 'Following',
  description: "Follows a user: changes of the user's identity reach the follower's sockets from now on.",
  success: { 204: { description: 'The user is followed.' } },
  errors: ['not_found'],
};

const UNFOLLOW: WithoutId = {
  tag: 'Following',
  description: 'Unfollows a user. Joining a conversation with the user follows them again.',
  success: { 204: { description: 'The user is not followed any more.' } },
  errors: ['not_found'],
};

export const FOLLOWING: Operations = {
  'GET /following': { id: 'listFollowedUsers', ...LIST },
  'POST /following/users': { id: 'followUsers', ...FOLLOW_SEVERAL },
  'GET /following/users/:user_id': { id: 'isFollowing', ...IS_FOLLOWED },
  'PUT /following/users/:user_id': { id: 'followUser', ...FOLLOW },
  'DELETE /following/users/:user_id': { id: 'unfollowUser', ...UNFOLLOW },

  'GET /apps/:app_uuid/users/:owner_user_id/following': { id: 'listFollowedUsersOfUser', ...LIST },
  'POST /apps/:app_uuid/users/:owner_user_id/following': { id: 'followUsersForUser', ...FOLLOW_SEVERAL },
  'GET /apps/:app_uuid/users/:owner_user_id/following/:user_id': { id: 'isFollowingOfUser', ...IS_FOLLOWED },
  'PUT /apps/:app_uuid/users/:owner_user_id/following/:user_id': { id: 'followUserForUser', ...FOLLOW },
  'DELETE /apps/:app_uuid/users/:owner_user_id/following/:user_id': {
    id: 'unfollowUserForUser',
    ...UNFOLLOW,
  },
};
