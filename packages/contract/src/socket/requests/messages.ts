import Type from 'typebox';
import { MESSAGE } from '../../examples/message.ts';
import { Message } from '../../records/message.ts';
import { MessageInput, MessagePatch } from '../../records/message-input.ts';
import { NotificationInput } from '../../records/notification.ts';
import { reactionKey } from '../../records/reaction.ts';
import { ReceiptInput } from '../../records/receipt.ts';
import { idInput } from '../../schema/ids.ts';
import { optional } from '../../schema/schema.ts';
import { DeletionMode } from '../changes/message.ts';
import type { SocketMethod } from './request.ts';

const MESSAGE_ID = { schema: idInput('messages', 'The message.'), example: MESSAGE.id };
const CONVERSATION_ID = {
  schema: idInput('conversations', 'The conversation.'),
  example: MESSAGE.conversation.id,
};

const MessageDeletion = Type.Object({ mode: optional(DeletionMode) });

const ReactionCreation = Type.Object({
  key: reactionKey(),
  replace: optional(
    Type.Boolean({ description: 'The user’s reactions with other keys are taken back in the same change.' }),
  ),
  notification: optional(NotificationInput),
});

export const MESSAGE_METHODS = {
  'Message.create': {
    id: 'createMessage',
    summary: 'Send a message',
    description:
      'As `POST /conversations/:conversation_id/messages`. With an `id` a repeat is harmless: it fails with `id_in_use`, whose `data` is the Message.',
    objectId: CONVERSATION_ID,
    data: {
      schema: MessageInput,
      required: true,
      example: { parts: [{ mime_type: 'text/plain', body: 'Hello, Bob!' }] },
    },
    result: { schema: Message, example: MESSAGE },
    errors: [
      'missing_property',
      'invalid_property',
      'invalid_request',
      'invalid_request_id',
      'not_found',
      'access_denied',
      'id_in_use',
    ],
  },
  'Message.delete': {
    id: 'deleteMessage',
    summary: 'Delete a message',
    description: 'As `DELETE /messages/:message_id`. Without `mode` for the user’s own devices.',
    objectId: MESSAGE_ID,
    data: { schema: MessageDeletion, required: false, example: { mode: 'all_participants' } },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
  'Message.update': {
    id: 'updateMessage',
    summary: 'Change a message',
    description: 'As `PATCH /messages/:message_id`: all steps are applied, or none.',
    objectId: MESSAGE_ID,
    data: {
      schema: MessagePatch,
      required: true,
      example: [{ operation: 'set', property: 'metadata.order.state', value: 'shipped' }],
    },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
  'Reaction.create': {
    id: 'createReaction',
    summary: 'React to a message',
    description: 'As `PUT /messages/:message_id/reactions/:key`.',
    objectId: MESSAGE_ID,
    data: { schema: ReactionCreation, required: true, example: { key: '👍' } },
    result: { schema: Type.Object({}), example: {} },
    errors: [
      'missing_property',
      'invalid_property',
      'invalid_request',
      'not_found',
      'access_denied',
      'invalid_operation',
    ],
  },
  'Reaction.delete': {
    id: 'deleteReaction',
    summary: 'Take a reaction back',
    description: 'As `DELETE /messages/:message_id/reactions/:key`.',
    objectId: MESSAGE_ID,
    data: { schema: Type.Object({ key: reactionKey() }), required: true, example: { key: '👍' } },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
  'Receipt.create': {
    id: 'createReceipt',
    summary: 'Give a receipt',
    description:
      'As `POST /messages/:message_id/receipts`. The change that follows is not sent to this socket.',
    objectId: MESSAGE_ID,
    data: { schema: ReceiptInput, required: true, example: { type: 'read' } },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
} satisfies Readonly<Record<string, SocketMethod>>;
