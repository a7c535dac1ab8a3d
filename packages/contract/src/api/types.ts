import Type from 'typebox';
import { TYPE, TYPE_INPUT } from '../examples/conversation-type.ts';
import { ConversationType, ConversationTypeInput } from '../records/conversation-type.ts';
import type { Description, Operations } from './operation.ts';

const TAG = 'Conversations';

const LIST: Description['success'] = {
  200: {
    description: 'All types, `default` first.',
    body: { schema: Type.Array(ConversationType), example: [TYPE] },
  },
};

export const TYPES = {
  listTypes: {
    route: 'GET /types',
    docs: 'types.md#types',
    auth: 'session',
    operator: 'operator: users',
    summary: 'List conversation types',
    tag: TAG,
    description:
      'The rules of all types of conversations. The answer has an `ETag`; with `If-None-Match` it is 304 while nothing has changed.',
    success: Object.assign(
      { 304: { description: 'The types are those of the `ETag` in `If-None-Match`.' } },
      LIST,
    ),
    errors: [],
  },
  listTypesAsServer: {
    route: 'GET /apps/:app_uuid/types',
    docs: 'types.md#types',
    auth: 'bearer',
    operator: 'viewer: none',
    summary: 'List conversation types',
    tag: TAG,
    description: 'The rules of all types of conversations.',
    success: LIST,
    errors: [],
  },
  putType: {
    route: 'PUT /apps/:app_uuid/types/:type_name',
    docs: 'types.md#types',
    auth: 'bearer',
    operator: 'owner: none',
    summary: 'Create or replace a conversation type',
    tag: TAG,
    description:
      'Replaces the rules of a type; what is left out is the default. They hold for every act that begins after the answer.',
    body: { required: true, schema: ConversationTypeInput, example: TYPE_INPUT },
    success: { 200: { description: 'The type.', body: { schema: ConversationType, example: TYPE } } },
    errors: ['invalid_property', 'invalid_operation'],
  },
  deleteType: {
    route: 'DELETE /apps/:app_uuid/types/:type_name',
    docs: 'types.md#types',
    auth: 'bearer',
    operator: 'owner: none',
    summary: 'Delete a conversation type',
    tag: TAG,
    description: 'Deletes a type that no conversation has. Deleting `default` restores its defaults.',
    success: { 204: { description: 'The type is deleted.' } },
    errors: ['invalid_property', 'invalid_operation'],
  },
} satisfies Operations;
