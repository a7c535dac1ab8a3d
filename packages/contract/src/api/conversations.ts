import Type, { type TSchema } from 'typebox';
import * as examples from '../examples/conversation.ts';
import { limits } from '../limits.ts';
import {
  ConversationInput,
  ConversationPatch,
  MarkAllDeliveredInput,
  MarkAllReadInput,
  MarkedDelivered,
  MarkedRead,
} from '../records/conversation-input.ts';
import { Conversation } from '../records/conversation.ts';
import { HeaderData } from '../records/header-data.ts';
import { url } from '../schema/ids.ts';
import { nullable, oneOf } from '../schema/schema.ts';
import { DELETION_MODE } from './deletion-mode.ts';
import type { Description, Operations } from './operation.ts';
import { COUNT_HEADER, NEXT_LINK, pageParameters } from './parameters.ts';

const TAG = 'Conversations';
const LOCATION = { Location: url('Where the conversation is read.') };

function listOf(example: Conversation, headers: Record<string, TSchema> = {}): Description['success'] {
  return {
    200: {
      description: 'A page of conversations.',
      headers: { ...COUNT_HEADER, ...headers },
      body: { schema: Type.Array(Conversation), example: [example] },
    },
  };
}

function creation(example: Conversation): Omit<Description, 'description'> {
  return {
    tag: TAG,
    body: { required: true, schema: ConversationInput, example: examples.CONVERSATION_INPUT },
    success: {
      200: {
        description: 'The distinct conversation of these participants, which there was already.',
        body: { schema: Conversation, example },
      },
      201: {
        description: 'The new conversation.',
        headers: LOCATION,
        body: { schema: Conversation, example },
      },
    },
    errors: ['missing_property', 'invalid_property', 'invalid_request_id', 'id_in_use', 'conflict'],
    errorData: {
      id_in_use: nullable(
        Conversation,
        'The conversation with the id; null when the caller does not see it.',
      ),
      conflict: Type.Union([Conversation, HeaderData], {
        description:
          'The distinct conversation, whose metadata is other than that asked for; or the header `Idempotency-Key`, which came with another request before.',
      }),
    },
  };
}

const DISTINCT =
  'With `distinct` there is at most one conversation of the same participants. If there is one, it is the answer when `metadata` is left out or equal; otherwise the request fails with `conflict`.';

function patchOf(description: string): Omit<Description, 'errors'> {
  return {
    tag: TAG,
    description,
    body: { required: true, schema: ConversationPatch, example: examples.CONVERSATION_PATCH },
    success: { 204: { description: 'The operations are applied.' } },
  };
}

const PATCH_ERRORS = ['not_found', 'missing_property', 'invalid_property'] as const;

export const CONVERSATIONS = {
  listConversations: {
    route: 'GET /conversations',
    docs: 'conversations.md#read-conversations',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'List conversations',
    kind: 'list',
    tag: TAG,
    description:
      "The user's conversations, newest first. One that the user hid is missing until a new message brings it back.",
    parameters: [
      {
        name: 'sort_by',
        in: 'query',
        schema: {
          ...oneOf(
            ['created_at', 'last_message'],
            'By the creation of the conversation, or by its last message.',
          ),
          default: 'created_at',
        },
      },
      ...pageParameters(limits.conversationPage, 'conversations'),
      {
        name: 'cursor',
        in: 'query',
        schema: Type.String({
          description:
            'Of the address in the `Link` with rel `next` of the page before, by last message; it comes before `from_id`.',
        }),
      },
    ],
    success: listOf(examples.CONVERSATION, NEXT_LINK),
    errors: ['invalid_property'],
  },
  listConversationsAsServer: {
    route: 'GET /apps/:app_uuid/conversations',
    docs: 'conversations.md#read-conversations',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'List all conversations',
    kind: 'list',
    tag: TAG,
    description: 'All conversations of the app, the newest first.',
    parameters: pageParameters(limits.conversationPage, 'conversations'),
    success: listOf(examples.SERVER_CONVERSATION),
    errors: ['invalid_property'],
  },

  createConversation: {
    route: 'POST /conversations',
    docs: 'conversations.md#create-a-conversation',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Create a conversation',
    description: `Creates a conversation in which the user takes part. ${DISTINCT} A distinct conversation that the user had hidden comes back without its old messages.`,
    ...creation(examples.NEW_CONVERSATION),
    errors: [...creation(examples.NEW_CONVERSATION).errors, 'not_found', 'participant_blocked'],
  },
  createConversationAsServer: {
    route: 'POST /apps/:app_uuid/conversations',
    docs: 'conversations.md#create-a-conversation',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Create a conversation',
    description: `Creates a conversation of the users named. ${DISTINCT}`,
    ...creation(examples.SERVER_CONVERSATION),
    errors: [...creation(examples.SERVER_CONVERSATION).errors, 'not_found', 'object_deleted'],
  },

  getConversation: {
    route: 'GET /conversations/:conversation_id',
    docs: 'conversations.md#read-conversations',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Get a conversation',
    tag: TAG,
    description: 'A conversation of the user, also one from which they were removed.',
    success: {
      200: {
        description: 'The conversation.',
        body: { schema: Conversation, example: examples.CONVERSATION },
      },
    },
    errors: ['not_found'],
  },
  getConversationAsServer: {
    route: 'GET /apps/:app_uuid/conversations/:conversation_id',
    docs: 'conversations.md#read-conversations',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Get a conversation',
    tag: TAG,
    description: 'Any conversation of the app.',
    success: {
      200: {
        description: 'The conversation.',
        body: { schema: Conversation, example: examples.SERVER_CONVERSATION },
      },
    },
    errors: ['not_found', 'object_deleted'],
  },

  updateConversation: {
    route: 'PATCH /conversations/:conversation_id',
    docs: 'conversations.md#change-a-conversation',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Change a conversation',
    ...patchOf(
      'Changes metadata and participants; every participant may. Adding a user who blocks the caller fails with `participant_blocked`. A removed participant gets `access_denied`.',
    ),
    errors: [...PATCH_ERRORS, 'access_denied', 'participant_blocked'],
  },
  updateConversationAsServer: {
    route: 'PATCH /apps/:app_uuid/conversations/:conversation_id',
    docs: 'conversations.md#change-a-conversation',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Change a conversation',
    ...patchOf('Changes metadata and participants.'),
    errors: [...PATCH_ERRORS, 'object_deleted'],
  },

  deleteConversation: {
    route: 'DELETE /conversations/:conversation_id',
    docs: 'conversations.md#delete-a-conversation',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Delete a conversation',
    tag: TAG,
    description:
      'Hides a conversation from the user, or deletes it for all participants, which only a participant may. A hidden conversation comes back with the next message, without the messages before. Deleting it once more succeeds.',
    parameters: [
      DELETION_MODE,
      {
        name: 'leave',
        in: 'query',
        schema: Type.Boolean({
          default: false,
          description: 'Whether the user also leaves the conversation that they hide.',
        }),
      },
    ],
    success: { 204: { description: 'The conversation is hidden or deleted.' } },
    errors: ['not_found', 'access_denied', 'invalid_property'],
  },
  deleteConversationAsServer: {
    route: 'DELETE /apps/:app_uuid/conversations/:conversation_id',
    docs: 'conversations.md#delete-a-conversation',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Delete a conversation for all',
    tag: TAG,
    description: 'Deletes a conversation for all participants. Deleting it once more succeeds.',
    success: { 204: { description: 'The conversation is deleted.' } },
    errors: ['not_found'],
  },

  markAllRead: {
    route: 'POST /conversations/:conversation_id/mark_all_read',
    docs: 'receipts.md#mark-all-read',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Mark messages read up to a position',
    tag: TAG,
    description:
      'Marks all messages up to a position as read: they do not count as unread any more, and their senders see that they were read. A read receipt is for one message alone.',
    body: { required: false, schema: MarkAllReadInput, example: { position: 1 } },
    success: {
      202: {
        description: 'The messages are marked.',
        body: { schema: MarkedRead, example: { position: 1 } },
      },
    },
    errors: ['not_found', 'access_denied', 'invalid_property'],
  },

  markAllDelivered: {
    route: 'POST /conversations/:conversation_id/mark_all_delivered',
    docs: 'receipts.md#mark-all-delivered',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Mark messages delivered up to a position',
    tag: TAG,
    description:
      'Marks all messages up to a position as delivered: their senders see that a device of the user has them. Those that are read stay read. One request takes the place of a delivery receipt for each message.',
    body: { required: false, schema: MarkAllDeliveredInput, example: { position: 1 } },
    success: {
      202: {
        description: 'The messages are marked.',
        body: { schema: MarkedDelivered, example: { position: 1 } },
      },
    },
    errors: ['not_found', 'access_denied', 'invalid_property'],
  },
} satisfies Operations;
