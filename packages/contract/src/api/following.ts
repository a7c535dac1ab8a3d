import { limits } from '../limits.ts';
import { FollowedUserIds, UsersToFollow } from '../records/following.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Description, Operations } from './operation.ts';

const LIST: Description = {
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

const FOLLOW_SEVERAL: Description = {
  tag: 'Following',
  description:
    'Follows several users. It is done in the background; users who do not exist are skipped. A user that is not valid is refused with `data.property` = `user_ids`.',
  body: { schema: UsersToFollow, example: ['bob', 'svc:///identities/grace'], required: true },
  success: { 202: { description: 'The users will be followed.' } },
  errors: ['not_found', 'invalid_property'],
};

const IS_FOLLOWED: Description = {
  tag: 'Following',
  description: 'Whether a user follows another user.',
  success: { 204: { description: 'The user is followed.' } },
  errors: ['not_found'],
};

const FOLLOW: Description = {
  tag: 'Following',
  description: "Follows a user: changes of the user's identity reach the follower's sockets from now on.",
  success: { 204: { description: 'The user is followed.' } },
  errors: ['not_found'],
};

const UNFOLLOW: Description = {
  tag: 'Following',
  description: 'Unfollows a user. Joining a conversation with the user follows them again.',
  success: { 204: { description: 'The user is not followed any more.' } },
  errors: ['not_found'],
};

export const FOLLOWING = {
  listFollowedUsers: {
    route: 'GET /following',
    docs: 'users.md#following',
    auth: 'session',
    operator: 'operator: users',
    summary: 'List followed users',
    kind: 'list',
    ...LIST,
  },
  followUsers: {
    route: 'POST /following/users',
    docs: 'users.md#following',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Follow several users',
    kind: 'patch',
    ...FOLLOW_SEVERAL,
  },
  isFollowing: {
    route: 'GET /following/users/:user_id',
    docs: 'users.md#following',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Is a user followed',
    ...IS_FOLLOWED,
  },
  followUser: {
    route: 'PUT /following/users/:user_id',
    docs: 'users.md#following',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Follow a user',
    ...FOLLOW,
  },
  unfollowUser: {
    route: 'DELETE /following/users/:user_id',
    docs: 'users.md#following',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Unfollow a user',
    ...UNFOLLOW,
  },

  listFollowedUsersOfUser: {
    route: 'GET /apps/:app_uuid/users/:owner_user_id/following',
    docs: 'users.md#following',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'List followed users',
    kind: 'list',
    ...LIST,
  },
  followUsersForUser: {
    route: 'POST /apps/:app_uuid/users/:owner_user_id/following',
    docs: 'users.md#following',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Follow several users',
    kind: 'patch',
    ...FOLLOW_SEVERAL,
  },
  isFollowingOfUser: {
    route: 'GET /apps/:app_uuid/users/:owner_user_id/following/:user_id',
    docs: 'users.md#following',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'Is a user followed',
    ...IS_FOLLOWED,
  },
  followUserForUser: {
    route: 'PUT /apps/:app_uuid/users/:owner_user_id/following/:user_id',
    docs: 'users.md#following',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Follow a user',
    ...FOLLOW,
  },
  unfollowUserForUser: {
    route: 'DELETE /apps/:app_uuid/users/:owner_user_id/following/:user_id',
    docs: 'users.md#following',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Unfollow a user',
    ...UNFOLLOW,
  },
} satisfies Operations;
