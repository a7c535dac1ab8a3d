import Type from 'typebox';
import { MESSAGE_INPUT, SENT_MESSAGE, SERVER_MESSAGE, SERVER_MESSAGE_INPUT } from '../examples/message.ts';
import { limits } from '../limits.ts';
import { MessageBatch, MessageInput, ServerMessageInput } from '../records/message-input.ts';
import { Message } from '../records/message.ts';
import { url } from '../schema/ids.ts';
import { nullable } from '../schema/schema.ts';
import type { Operations } from './operation.ts';

const ERRORS = [
  'not_found',
  'missing_property',
  'invalid_property',
  'invalid_request_id',
  'id_in_use',
] as const;
const ERROR_DATA = {
  id_in_use: nullable(Message, 'The message with the id; null when the caller does not see it.'),
};
const SENT = 'The message, which is stored.';

/** One message, or an array of them. */
const SERVER_BODY = Type.Union([ServerMessageInput, MessageBatch]);

export const SENDING = {
  sendMessage: {
    route: 'POST /conversations/:conversation_id/messages',
    docs: 'messages.md#send-a-message',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Send a message',
    tag: 'Messages',
    description:
      'Sends a message to the participants. An `id` that the client makes lets it repeat a request whose answer got lost: the message exists once, and the repeat fails with `id_in_use`, which shows it. A removed participant gets `access_denied`.',
    body: { required: true, schema: MessageInput, example: MESSAGE_INPUT },
    success: {
      201: {
        description: SENT,
        headers: { Location: url('Where the message is read.') },
        body: { schema: Message, example: SENT_MESSAGE },
      },
    },
    errors: [...ERRORS, 'access_denied'],
    errorData: ERROR_DATA,
  },
  sendMessageAsServer: {
    route: 'POST /apps/:app_uuid/conversations/:conversation_id/messages',
    docs: 'messages.md#send-as-a-server',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Send a message',
    tag: 'Messages',
    description: `Sends a message in the name of a participant or of a bot. An unknown \`sender_id\` is \`not_found\`; a user who does not take part is \`invalid_property\`.

With \`schedule\` the message is stored now and sent later; until then it is among the scheduled messages.

An array is a batch of at most ${limits.batchMessages} messages. All of them are checked before the first is sent: a wrong one fails the request with a property such as \`3.parts\`. From then on each stands alone: one whose id is in use is skipped.`,
    body: { required: true, schema: SERVER_BODY, example: SERVER_MESSAGE_INPUT },
    success: {
      201: {
        description: SENT,
        headers: { Location: url('Where the message is read.') },
        body: { schema: Message, example: SERVER_MESSAGE },
      },
      202: {
        description: 'The message is scheduled, or the batch is sent. The body is empty.',
        headers: { Location: Type.Optional(url('Where the scheduled message is read; absent for a batch.')) },
      },
    },
    errors: [...ERRORS, 'object_deleted'],
    errorData: ERROR_DATA,
  },
} satisfies Operations;
