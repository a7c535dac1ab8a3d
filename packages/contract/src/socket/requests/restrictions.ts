import Type from 'typebox';
import { CONVERSATION } from '../../examples/conversation.ts';
import { RestrictionInput } from '../../records/restriction.ts';
import { idInput, identityInput } from '../../schema/ids.ts';
import type { SocketMethod } from './request.ts';

const CONVERSATION_ID = {
  schema: idInput('conversations', 'The conversation.'),
  example: CONVERSATION.id,
};
const USER_ID = identityInput('The user.');

export const RESTRICTION_METHODS = {
  'Restriction.create': {
    id: 'createRestriction',
    summary: 'Restrict a user',
    description: 'As `PUT /conversations/:conversation_id/restrictions/:user_id`.',
    objectId: CONVERSATION_ID,
    data: {
      schema: Type.Object({ user_id: USER_ID, ...RestrictionInput.properties }),
      required: true,
      example: { user_id: 'bob', type: 'mute' },
    },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
  'Restriction.delete': {
    id: 'deleteRestriction',
    summary: 'End a restriction',
    description: 'As `DELETE /conversations/:conversation_id/restrictions/:user_id`.',
    objectId: CONVERSATION_ID,
    data: { schema: Type.Object({ user_id: USER_ID }), required: true, example: { user_id: 'bob' } },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
} satisfies Readonly<Record<string, SocketMethod>>;
