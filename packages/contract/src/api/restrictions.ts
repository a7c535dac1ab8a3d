import Type from 'typebox';
import { ADA, BOB, ADA_OF_SERVER, BOB_OF_SERVER } from '../examples/identity.ts';
import { limits } from '../limits.ts';
import { Restriction, RestrictionInput, UserRestrictionInput } from '../records/restriction.ts';
import type { Description, Operations } from './operation.ts';
import { pageParameters } from './parameters.ts';

const TAG = 'Conversations';
const INPUT = { type: 'mute' as const, until: '2099-11-21T20:15:30.123Z', reason: 'Off topic' };

function listOf(example: Restriction): Omit<Description, 'errors'> {
  return {
    tag: TAG,
    description: 'The restrictions in force, the newest first. Users need the action `restrict`.',
    parameters: pageParameters(limits.restrictionPage, 'users'),
    success: {
      200: {
        description: 'A page of restrictions.',
        body: { schema: Type.Array(Restriction), example: [example] },
      },
    },
  };
}

const PUT: Omit<Description, 'errors'> = {
  tag: TAG,
  description:
    'Restricts a user, in place of a restriction before. A mute keeps them from writing; a ban removes them, and nobody adds them again. Users need the action `restrict`, and restrict nobody of a higher role.',
  body: { required: true, schema: RestrictionInput, example: INPUT },
  success: { 204: { description: 'The user is restricted.' } },
};

const DELETE: Omit<Description, 'errors'> = {
  tag: TAG,
  description: 'Ends a restriction. A user who was banned is not added again.',
  success: { 204: { description: 'The user is not restricted.' } },
};

function exampleOf(user: typeof BOB, by: string): Restriction {
  return Object.assign({ user, created_by: by, created_at: '2026-11-20T20:15:30.123Z' }, INPUT);
}

export const RESTRICTIONS = {
  listRestrictions: {
    route: 'GET /conversations/:conversation_id/restrictions',
    docs: 'types.md#restrictions',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'List restrictions',
    kind: 'list',
    ...listOf(exampleOf(BOB, ADA.id)),
    errors: ['not_found', 'access_denied', 'invalid_property'],
  },
  listRestrictionsAsServer: {
    route: 'GET /apps/:app_uuid/conversations/:conversation_id/restrictions',
    docs: 'types.md#restrictions',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'List restrictions',
    kind: 'list',
    ...listOf(exampleOf(BOB_OF_SERVER, ADA_OF_SERVER.id)),
    errors: ['not_found', 'object_deleted', 'invalid_property'],
  },
  putRestriction: {
    route: 'PUT /conversations/:conversation_id/restrictions/:user_id',
    docs: 'types.md#restrictions',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Restrict a user',
    ...PUT,
    errors: ['not_found', 'access_denied', 'missing_property', 'invalid_property'],
  },
  putRestrictionAsServer: {
    route: 'PUT /apps/:app_uuid/conversations/:conversation_id/restrictions/:user_id',
    docs: 'types.md#restrictions',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Restrict a user',
    ...PUT,
    errors: ['not_found', 'object_deleted', 'missing_property', 'invalid_property'],
  },
  deleteRestriction: {
    route: 'DELETE /conversations/:conversation_id/restrictions/:user_id',
    docs: 'types.md#restrictions',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'End a restriction',
    ...DELETE,
    errors: ['not_found', 'access_denied'],
  },
  deleteRestrictionAsServer: {
    route: 'DELETE /apps/:app_uuid/conversations/:conversation_id/restrictions/:user_id',
    docs: 'types.md#restrictions',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'End a restriction',
    ...DELETE,
    errors: ['not_found', 'object_deleted'],
  },
  putUserRestriction: {
    route: 'PUT /apps/:app_uuid/users/:user_id/restriction',
    docs: 'types.md#restrictions-in-the-application',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Restrict a user in the application',
    tag: 'Users',
    description: 'Keeps a user from writing in every conversation, in place of a restriction before.',
    body: { required: true, schema: UserRestrictionInput, example: INPUT },
    success: { 204: { description: 'The user is restricted.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
  deleteUserRestriction: {
    route: 'DELETE /apps/:app_uuid/users/:user_id/restriction',
    docs: 'types.md#restrictions-in-the-application',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'End the restriction of a user in the application',
    tag: 'Users',
    description: 'Lets the user write again, where the conversation allows it.',
    success: { 204: { description: 'The user is not restricted.' } },
    errors: ['not_found'],
  },
} satisfies Operations;
