import Type from 'typebox';
import { limits } from '../limits.ts';
import { MESSAGE } from '../examples/message.ts';
import { Message } from '../records/message.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Operation, Operations } from './operation.ts';

const LIST_MESSAGES: Omit<Operation, 'id'> = {
  tag: 'Messages',
  description: 'The messages of a conversation that the reader sees, newest first.',
  parameters: pageParameters(limits.messagePage, 'messages'),
  success: {
    200: {
      description: 'A page of messages.',
      headers: COUNT_HEADER,
      body: { schema: Type.Array(Message), example: [MESSAGE] },
    },
  },
  errors: ['not_found', 'invalid_property'],
};

export const MESSAGES: Operations = {
  'GET /conversations/:conversation_id/messages': { id: 'listMessages', ...LIST_MESSAGES },
  'GET /apps/:app_uuid/conversations/:conversation_id/messages': {
    id: 'listMessagesAsServer',
    ...LIST_MESSAGES,
    errors: ['not_found', 'object_deleted', 'invalid_property'],
  },
};
