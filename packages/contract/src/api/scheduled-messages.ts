import Type from 'typebox';
import { SCHEDULED_MESSAGE } from '../examples/scheduled-message.ts';
import { limits } from '../limits.ts';
import { ScheduledMessage } from '../records/scheduled-message.ts';
import type { Operations } from './operation.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';

const TAG = 'Messages';
const PATH = '/apps/:app_uuid/conversations/:conversation_id/scheduled_messages';

export const SCHEDULED_MESSAGES = {
  listScheduledMessages: {
    route: `GET ${PATH}`,
    docs: 'messages.md#scheduled-messages',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'List scheduled messages',
    kind: 'list',
    tag: TAG,
    description: 'The messages of a conversation that wait to be sent, the next one first.',
    parameters: pageParameters(limits.messagePage, 'scheduled messages'),
    success: {
      200: {
        description: 'A page of scheduled messages.',
        headers: COUNT_HEADER,
        body: { schema: Type.Array(ScheduledMessage), example: [SCHEDULED_MESSAGE] },
      },
    },
    errors: ['not_found', 'object_deleted', 'invalid_property'],
  },
  getScheduledMessage: {
    route: `GET ${PATH}/:message_id`,
    docs: 'messages.md#scheduled-messages',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Get a scheduled message',
    tag: TAG,
    description: 'A message that waits to be sent.',
    success: {
      200: {
        description: 'The scheduled message.',
        body: { schema: ScheduledMessage, example: SCHEDULED_MESSAGE },
      },
    },
    errors: ['not_found'],
  },
  cancelScheduledMessage: {
    route: `DELETE ${PATH}/:message_id`,
    docs: 'messages.md#scheduled-messages',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Cancel a scheduled message',
    tag: TAG,
    description: 'Drops a message before it is sent. One that was sent already is `not_found`.',
    success: { 204: { description: 'The message will not be sent.' } },
    errors: ['not_found'],
  },
} satisfies Operations;
