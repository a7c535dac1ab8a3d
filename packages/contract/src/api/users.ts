import Type from 'typebox';
import { IDENTITY_OF_SERVER } from '../examples/identity.ts';
import { limits } from '../limits.ts';
import { oneOf } from '../schema/schema.ts';
import { Badge, BadgeInput, User, UserPatch } from '../records/user.ts';
import type { Operations } from './operation.ts';
import { pageParameters } from './parameters.ts';

export const USERS = {
  listUsers: {
    route: 'GET /apps/:app_uuid/users',
    docs: 'users.md#the-list-of-users',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'List users',
    kind: 'list',
    tag: 'Users',
    description: 'The users of the application by user id, all of them or those of a kind.',
    parameters: [
      { name: 'type', in: 'query', schema: oneOf(['user', 'bot'], 'Those of this type. Default: all.') },
      {
        name: 'suspended',
        in: 'query',
        schema: Type.Boolean({
          description: '`true`: those who are suspended; `false`: the others. Default: all.',
        }),
      },
      ...pageParameters(limits.userPage, 'users'),
    ],
    success: {
      200: {
        description: 'A page of users.',
        body: { schema: Type.Array(User), example: [{ identity: IDENTITY_OF_SERVER, suspended: false }] },
      },
    },
    errors: ['invalid_property'],
  },
  getUser: {
    route: 'GET /apps/:app_uuid/users/:user_id',
    docs: 'users.md#suspension',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'Get a user',
    tag: 'Users',
    description: 'A user: their identity, and whether they are suspended.',
    success: {
      200: {
        description: 'The user.',
        body: { schema: User, example: { identity: IDENTITY_OF_SERVER, suspended: false } },
      },
    },
    errors: ['not_found'],
  },
  updateUser: {
    route: 'PATCH /apps/:app_uuid/users/:user_id',
    docs: 'users.md#suspension',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Suspend a user, change blocks',
    tag: 'Users',
    description:
      'Suspends a user or lets them back, and changes whom they block. A suspension ends all sessions.',
    body: {
      schema: UserPatch,
      example: [
        { operation: 'set', property: 'suspended', value: true },
        { operation: 'add', property: 'blocks', id: 'bob' },
      ],
      required: true,
    },
    success: { 202: { description: 'The changes are made.' } },
    errors: ['not_found', 'missing_property', 'invalid_property', 'invalid_operation'],
  },
  eraseUser: {
    route: 'DELETE /apps/:app_uuid/users/:user_id',
    docs: 'users.md#erasure',
    auth: 'bearer',
    operator: 'operator: none',
    summary: 'Erase a user',
    kind: 'erasure',
    tag: 'Users',
    description:
      'Erases the person: their identity, sessions and receipts, and the content of their messages, which stay as deleted ones. The user may come back later with nothing of this.',
    success: { 202: { description: 'The user is gone; the rest is deleted in the background.' } },
    errors: ['not_found'],
  },
  deleteUserSessions: {
    route: 'DELETE /apps/:app_uuid/users/:user_id/sessions',
    docs: 'users.md#sessions-of-a-user',
    auth: 'bearer',
    operator: 'operator: none',
    summary: 'End all sessions of a user',
    tag: 'Users',
    description: 'Ends all sessions of a user and closes their sockets.',
    success: { 204: { description: 'The user is logged out everywhere.' } },
    errors: ['not_found'],
  },
  getBadge: {
    route: 'GET /apps/:app_uuid/users/:user_id/badge',
    docs: 'users.md#the-badge',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'Get the counts of a badge',
    tag: 'Users',
    description: "The numbers that make a user's badge.",
    success: {
      200: {
        description: 'The counts.',
        body: {
          schema: Badge,
          example: { external_unread_count: 2, unread_conversation_count: 1, unread_message_count: 3 },
        },
      },
    },
    errors: ['not_found'],
  },
  setBadge: {
    route: 'PUT /apps/:app_uuid/users/:user_id/badge',
    docs: 'users.md#the-badge',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Set the external count',
    tag: 'Users',
    description: 'Sets the count of unread things outside the platform.',
    body: { schema: BadgeInput, example: { external_unread_count: 2 }, required: true },
    success: { 204: { description: 'The count is kept.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
} satisfies Operations;
