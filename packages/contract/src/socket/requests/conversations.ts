import Type from 'typebox';
import { CONVERSATION } from '../../examples/conversation.ts';
import { Conversation } from '../../records/conversation.ts';
import {
  ConversationInput,
  ConversationPatch,
  MarkAllDeliveredInput,
  MarkAllReadInput,
  MarkedDelivered,
  MarkedRead,
} from '../../records/conversation-input.ts';
import { idInput } from '../../schema/ids.ts';
import { optional } from '../../schema/schema.ts';
import { DeletionMode } from '../changes/message.ts';
import type { SocketMethod } from './request.ts';

const CONVERSATION_ID = {
  schema: idInput('conversations', 'The conversation.'),
  example: CONVERSATION.id,
};

const ConversationDeletion = Type.Object({
  mode: optional(DeletionMode),
  leave: optional(
    Type.Union([Type.Boolean(), Type.Enum(['true', 'false'], { type: 'string' })], {
      description: 'With `my_devices`: also take part no more.',
    }),
  ),
});

export const CONVERSATION_METHODS = {
  'Conversation.create': {
    id: 'createConversation',
    summary: 'Create a conversation',
    description:
      'As `POST /conversations`. A distinct conversation that exists already is the result, which REST tells apart by its status.',
    data: { schema: ConversationInput, required: true, example: { participants: ['bob'], distinct: true } },
    result: { schema: Conversation, example: CONVERSATION },
    errors: [
      'missing_property',
      'invalid_property',
      'invalid_request',
      'invalid_request_id',
      'conflict',
      'id_in_use',
      'participant_blocked',
    ],
  },
  'Conversation.update': {
    id: 'updateConversation',
    summary: 'Patch a conversation',
    description: 'As `PATCH /conversations/:conversation_id`: all steps are applied, or none.',
    objectId: CONVERSATION_ID,
    data: {
      schema: ConversationPatch,
      required: true,
      example: [{ operation: 'set', property: 'metadata.topic', value: 'Engines' }],
    },
    result: { schema: Type.Object({}), example: {} },
    errors: [
      'missing_property',
      'invalid_property',
      'invalid_request',
      'not_found',
      'access_denied',
      'participant_blocked',
    ],
  },
  'Conversation.delete': {
    id: 'deleteConversation',
    summary: 'Delete a conversation',
    description: 'As `DELETE /conversations/:conversation_id`. Without `mode` for the user’s own devices.',
    objectId: CONVERSATION_ID,
    data: { schema: ConversationDeletion, required: false, example: { mode: 'my_devices', leave: false } },
    result: { schema: Type.Object({}), example: {} },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
  'Conversation.mark_all_read': {
    id: 'markAllRead',
    summary: 'Mark a conversation as read',
    description:
      'As `POST /conversations/:conversation_id/mark_all_read`: up to `position`, by default to the last message. The operation packet that follows is not sent to this socket.',
    objectId: CONVERSATION_ID,
    data: { schema: MarkAllReadInput, required: false, example: { position: 1 } },
    result: { schema: MarkedRead, example: { position: 1 } },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
  'Conversation.mark_all_delivered': {
    id: 'markAllDelivered',
    summary: 'Mark messages of a conversation as delivered',
    description:
      'As `POST /conversations/:conversation_id/mark_all_delivered`: up to `position`, by default to the last message. The operation packet that follows is not sent to this socket.',
    objectId: CONVERSATION_ID,
    data: { schema: MarkAllDeliveredInput, required: false, example: { position: 1 } },
    result: { schema: MarkedDelivered, example: { position: 1 } },
    errors: ['missing_property', 'invalid_property', 'invalid_request', 'not_found', 'access_denied'],
  },
} satisfies Readonly<Record<string, SocketMethod>>;
