import Type from 'typebox';
import { BOB, IDENTITY_OF_SERVER } from '../examples/identity.ts';
import { limits } from '../limits.ts';
import { oneOf } from '../schema/schema.ts';
import { BasicIdentity } from '../records/identity.ts';
import { Badge, BadgeInput, User, UserPatch } from '../records/user.ts';
import type { Operations, Parameter } from './operation.ts';
import { pageParameters } from './parameters.ts';

const BEGINNING =
  'begins with this text, without case and accents. 1 to 64 characters, of which letters, digits and signs such as emoji count.';

function beginningParameter(description: string, required: boolean): Parameter {
  const examples = ['ada'];
  const schema = Type.String({ minLength: 1, maxLength: limits.userSearch, description, examples });
  return { name: 'q', in: 'query', ...(required && { required }), schema };
}

export const USERS = {
  findUsers: {
    route: 'GET /users',
    docs: 'users.md#finding-users',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Find users',
    kind: 'list',
    tag: 'Users',
    description:
      "Finds users by the beginning of a word of the display name, or of the user id, if the application's setting `user_directory` allows it; else 403 with `data.reason` = `user_directory`. Users who are suspended and those who block the caller are left out: so it can tell the caller of a block. At most 10 requests a second of a session.",
    parameters: [
      beginningParameter(`A word of the display name, or the user id, ${BEGINNING}`, true),
      {
        name: 'page_size',
        in: 'query',
        schema: Type.Integer({
          minimum: 1,
          default: limits.foundUsers,
          description: `Users to find, at most ${limits.foundUsers}.`,
        }),
      },
    ],
    success: {
      200: {
        description:
          'The users, in the order of the words that begin with the text. There is no further page.',
        body: { schema: Type.Array(BasicIdentity), example: [BOB] },
      },
    },
    errors: ['access_denied', 'invalid_property', 'missing_property'],
  },
  listUsers: {
    route: 'GET /apps/:app_uuid/users',
    docs: 'users.md#the-list-of-users',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'List users',
    kind: 'list',
    tag: 'Users',
    description:
      'The users of the application by user id, all of them, those of a kind, or those whom a text finds.',
    parameters: [
      { name: 'type', in: 'query', schema: oneOf(['user', 'bot'], 'Those of this type. Default: all.') },
      {
        name: 'suspended',
        in: 'query',
        schema: Type.Boolean({
          description: '`true`: those who are suspended; `false`: the others. Default: all.',
        }),
      },
      beginningParameter(`Those of whom a word of the display name, or the user id, ${BEGINNING}`, false),
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
