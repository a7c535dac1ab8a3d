import Type from 'typebox';
import { IDENTITY, IDENTITY_INPUT, IDENTITY_OF_SERVER } from '../examples/identity.ts';
import { limits } from '../limits.ts';
import { Identity } from '../records/identity.ts';
import { IdentityInput, IdentityUpdate } from '../records/identity-input.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Description, Operations } from './operation.ts';

const LIST_FOLLOWED: Omit<Description, 'success'> = {
  tag: 'Identities',
  description:
    'The identities of the users whom a user follows, in the order of user ids, each with its presence.',
  parameters: pageParameters(limits.identityPage, 'identities'),
  errors: ['not_found', 'invalid_property'],
};

function page(example: Identity): Description['success'] {
  return {
    200: {
      description: 'A page of identities.',
      headers: COUNT_HEADER,
      body: { schema: Type.Array(Identity), example: [example] },
    },
  };
}

const GET_IDENTITY: Omit<Description, 'success'> = {
  tag: 'Identities',
  description: 'The identity of a user, with their presence.',
  errors: ['not_found'],
};

function found(example: Identity): Description['success'] {
  return { 200: { description: 'The identity.', body: { schema: Identity, example } } };
}

const PATCH_EXAMPLE = [
  { operation: 'set', property: 'display_name', value: 'Ada King' },
  { operation: 'set', property: 'metadata.team', value: 'analysis' },
  { operation: 'delete', property: 'phone_number' },
];

export const IDENTITIES = {
  listFollowedIdentities: {
    route: 'GET /identities',
    docs: 'users.md#following',
    auth: 'session',
    operator: 'operator: users',
    summary: 'List followed identities',
    kind: 'list',
    ...LIST_FOLLOWED,
    success: page(IDENTITY),
  },
  listFollowedIdentitiesOfUser: {
    route: 'GET /apps/:app_uuid/users/:owner_user_id/identities',
    docs: 'users.md#following',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'List followed identities',
    kind: 'list',
    ...LIST_FOLLOWED,
    success: page(IDENTITY_OF_SERVER),
  },
  getIdentity: {
    route: 'GET /identities/:user_id',
    docs: 'users.md#identities',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Get an identity',
    ...GET_IDENTITY,
    success: found(IDENTITY),
  },
  getIdentityAsServer: {
    route: 'GET /apps/:app_uuid/users/:user_id/identity',
    docs: 'users.md#identities',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'Get an identity',
    ...GET_IDENTITY,
    success: found(IDENTITY_OF_SERVER),
  },
  createIdentity: {
    route: 'POST /apps/:app_uuid/users/:user_id/identity',
    docs: 'users.md#identities',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Create an identity',
    tag: 'Identities',
    description: 'Makes a user. A login makes one too, from the claims of the identity token.',
    body: { schema: IdentityInput, example: IDENTITY_INPUT, required: true },
    success: { 201: { description: 'The user exists now.' } },
    errors: ['conflict', 'missing_property', 'invalid_property'],
  },
  replaceIdentity: {
    route: 'PUT /apps/:app_uuid/users/:user_id/identity',
    docs: 'users.md#identities',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Replace an identity',
    tag: 'Identities',
    description: 'Replaces the whole identity: what the body leaves out becomes empty.',
    body: { schema: IdentityInput, example: IDENTITY_INPUT, required: true },
    success: { 204: { description: 'The identity was replaced.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
  updateIdentity: {
    route: 'PATCH /apps/:app_uuid/users/:user_id/identity',
    docs: 'users.md#identities',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Change an identity',
    tag: 'Identities',
    description: 'Changes some properties: an object with the new values, or a patch array.',
    body: {
      schema: IdentityUpdate,
      example: PATCH_EXAMPLE,
      required: true,
    },
    success: { 204: { description: 'The identity was changed.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
  deleteIdentity: {
    route: 'DELETE /apps/:app_uuid/users/:user_id/identity',
    docs: 'users.md#identities',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Delete an identity',
    tag: 'Identities',
    description:
      'Deletes the identity and ends all sessions of the user. Their messages stay. To delete those too, erase the user.',
    success: { 204: { description: 'The identity is deleted.' } },
    errors: ['not_found'],
  },
} satisfies Operations;
