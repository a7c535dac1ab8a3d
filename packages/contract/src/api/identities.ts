import Type from 'typebox';
import { IDENTITY, IDENTITY_INPUT, IDENTITY_OF_SERVER } from '../examples/identity.ts';
import { limits } from '../limits.ts';
import { Identity } from '../records/identity.ts';
import { IdentityInput, IdentityUpdate } from '../records/identity-input.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Operation, Operations } from './operation.ts';

const LIST_FOLLOWED: Omit<Operation, 'id' | 'success'> = {
  tag: 'Identities',
  description:
    'The identities of the users whom a user follows, in the order of user ids, each with its presence.',
  parameters: pageParameters(limits.identityPage, 'identities'),
  errors: ['not_found', 'invalid_property'],
};

function page(example: Identity): Operation['success'] {
  return {
    200: {
      description: 'A page of identities.',
      headers: COUNT_HEADER,
      body: { schema: Type.Array(Identity), example: [example] },
    },
  };
}

const GET_IDENTITY: Omit<Operation, 'id' | 'success'> = {
  tag: 'Identities',
  description: 'The identity of a user, with their presence.',
  errors: ['not_found'],
};

function found(example: Identity): Operation['success'] {
  return { 200: { description: 'The identity.', body: { schema: Identity, example } } };
}

const PATCH_EXAMPLE = [
  { operation: 'set', property: 'display_name', value: 'Ada King' },
  { operation: 'set', property: 'metadata.team', value: 'analysis' },
  { operation: 'delete', property: 'phone_number' },
];

export const IDENTITIES: Operations = {
  'GET /identities': { id: 'listFollowedIdentities', ...LIST_FOLLOWED, success: page(IDENTITY) },
  'GET /apps/:app_uuid/users/:owner_user_id/identities': {
    id: 'listFollowedIdentitiesOfUser',
    ...LIST_FOLLOWED,
    success: page(IDENTITY_OF_SERVER),
  },
  'GET /identities/:user_id': { id: 'getIdentity', ...GET_IDENTITY, success: found(IDENTITY) },
  'GET /apps/:app_uuid/users/:user_id/identity': {
    id: 'getIdentityAsServer',
    ...GET_IDENTITY,
    success: found(IDENTITY_OF_SERVER),
  },
  'POST /apps/:app_uuid/users/:user_id/identity': {
    id: 'createIdentity',
    tag: 'Identities',
    description: 'Makes a user. A login makes one too, from the claims of the identity token.',
    body: { schema: IdentityInput, example: IDENTITY_INPUT, required: true },
    success: { 201: { description: 'The user exists now.' } },
    errors: ['conflict', 'missing_property', 'invalid_property'],
  },
  'PUT /apps/:app_uuid/users/:user_id/identity': {
    id: 'replaceIdentity',
    tag: 'Identities',
    description: 'Replaces the whole identity: what the body leaves out becomes empty.',
    body: { schema: IdentityInput, example: IDENTITY_INPUT, required: true },
    success: { 204: { description: 'The identity was replaced.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
  'PATCH /apps/:app_uuid/users/:user_id/identity': {
    id: 'updateIdentity',
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
  'DELETE /apps/:app_uuid/users/:user_id/identity': {
    id: 'deleteIdentity',
    tag: 'Identities',
    description:
      'Deletes the identity and ends all sessions of the user. Their messages stay. To delete those too, erase the user.',
    success: { 204: { description: 'The identity is deleted.' } },
    errors: ['not_found'],
  },
};
