import Type from 'typebox';
import { MESSAGE, SERVER_MESSAGE } from '../examples/message.ts';
import { limits } from '../limits.ts';
import { MessagePatch } from '../records/message-input.ts';
import { Message } from '../records/message.ts';
import { ReceiptInput } from '../records/receipt.ts';
import { DELETION_MODE } from './deletion-mode.ts';
import type { Description, Operations } from './operation.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';

const TAG = 'Messages';

function listOf(example: Message): Omit<Description, 'errors'> {
  return {
    tag: TAG,
    description: 'The messages of a conversation that the reader sees, newest first.',
    parameters: pageParameters(limits.messagePage, 'messages'),
    success: {
      200: {
        description: 'A page of messages.',
        headers: COUNT_HEADER,
        body: { schema: Type.Array(Message), example: [example] },
      },
    },
  };
}

function shown(example: Message): Description['success'] {
  return { 200: { description: 'The message.', body: { schema: Message, example } } };
}

function patchOf(who: string): Pick<Description, 'tag' | 'description' | 'body' | 'success'> {
  return {
    tag: TAG,
    description: `Changes the metadata of a message; ${who} It sets no \`updated_at\`, since metadata are for programs.`,
    body: {
      required: true,
      schema: MessagePatch,
      example: [{ operation: 'set', property: 'metadata.order.state', value: 'shipped' }],
    },
    success: { 204: { description: 'The steps are applied.' } },
  };
}

export const MESSAGES = {
  listMessages: {
    route: 'GET /conversations/:conversation_id/messages',
    docs: 'messages.md#read-messages',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'List messages',
    kind: 'list',
    ...listOf(MESSAGE),
    errors: ['not_found', 'invalid_property'],
  },
  listMessagesAsServer: {
    route: 'GET /apps/:app_uuid/conversations/:conversation_id/messages',
    docs: 'messages.md#read-messages',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'List messages',
    kind: 'list',
    ...listOf(SERVER_MESSAGE),
    errors: ['not_found', 'object_deleted', 'invalid_property'],
  },

  getMessage: {
    route: 'GET /messages/:message_id',
    docs: 'messages.md#read-messages',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Get a message',
    emptyNotFound: true,
    tag: TAG,
    description: 'A message that the user sees.',
    success: shown(MESSAGE),
    errors: [],
  },
  getMessageAsServer: {
    route: 'GET /apps/:app_uuid/conversations/:conversation_id/messages/:message_id',
    docs: 'messages.md#read-messages',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Get a message',
    emptyNotFound: true,
    tag: TAG,
    description: 'A message of the conversation.',
    success: shown(SERVER_MESSAGE),
    errors: ['object_deleted'],
  },

  updateMessage: {
    route: 'PATCH /messages/:message_id',
    docs: 'messages.md#metadata',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Change a message',
    emptyNotFound: true,
    ...patchOf('only its sender may.'),
    errors: ['access_denied', 'missing_property', 'invalid_property'],
  },
  updateMessageAsServer: {
    route: 'PATCH /apps/:app_uuid/conversations/:conversation_id/messages/:message_id',
    docs: 'messages.md#metadata',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Change a message',
    emptyNotFound: true,
    ...patchOf('servers may change all.'),
    errors: ['object_deleted', 'missing_property', 'invalid_property'],
  },

  deleteMessage: {
    route: 'DELETE /messages/:message_id',
    docs: 'messages.md#delete-a-message',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Delete a message',
    emptyNotFound: true,
    tag: TAG,
    description:
      'Hides a message from the user, or deletes it for all participants, which only a participant may. Neither can be undone. Hiding an unread message lowers the unread count. Deleting it once more succeeds for the user who deleted it.',
    parameters: [DELETION_MODE],
    success: { 204: { description: 'The message is hidden or deleted.' } },
    errors: ['access_denied', 'invalid_property'],
  },
  deleteMessageAsServer: {
    route: 'DELETE /apps/:app_uuid/conversations/:conversation_id/messages/:message_id',
    docs: 'messages.md#delete-a-message',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Delete a message for all',
    emptyNotFound: true,
    tag: TAG,
    description: 'Deletes a message for all participants, for good. Deleting it once more succeeds.',
    success: { 204: { description: 'The message is deleted.' } },
    errors: ['object_deleted'],
  },

  sendReceipt: {
    route: 'POST /messages/:message_id/receipts',
    docs: 'receipts.md#send-a-receipt',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Send a message receipt',
    emptyNotFound: true,
    tag: 'Receipts',
    description:
      'States that the user received or read a message. The sender sees it in `recipient_status`; a read message does not count as unread any more. A receipt may be sent again, and one for an own message has no effect.',
    body: { required: true, schema: ReceiptInput, example: { type: 'read' } },
    success: { 204: { description: 'The receipt is stored.' } },
    errors: ['access_denied', 'missing_property', 'invalid_property'],
  },
} satisfies Operations;
