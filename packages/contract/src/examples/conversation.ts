import type { ConversationInput, ConversationPatch } from '../records/conversation-input.ts';
import type { Conversation } from '../records/conversation.ts';
import { ADA, ADA_OF_SERVER, BOB, BOB_OF_SERVER } from './identity.ts';
import { MESSAGE } from './message.ts';
import { APP_BASE } from './base.ts';
import { EXAMPLE } from '../schema/ids.ts';

const SERVER_URL = `${APP_BASE}/conversations/${EXAMPLE.conversation}`;

/** The conversation of Ada and Bob, as Bob sees it after Ada's message. */
export const CONVERSATION: Conversation = {
  id: MESSAGE.conversation.id,
  url: MESSAGE.conversation.url,
  messages_url: `${MESSAGE.conversation.url}/messages`,
  created_at: '2026-11-20T20:15:00.000Z',
  participants: [ADA, BOB],
  distinct: true,
  metadata: { topic: 'engines' },
  last_message: MESSAGE,
  unread_message_count: 1,
  total_message_count: 1,
};

/** The conversation before its first message. */
export const NEW_CONVERSATION: Conversation = {
  ...CONVERSATION,
  last_message: null,
  unread_message_count: 0,
  total_message_count: 0,
};

/** The conversation as a server sees it. */
export const SERVER_CONVERSATION: Conversation = {
  ...CONVERSATION,
  url: SERVER_URL,
  messages_url: `${SERVER_URL}/messages`,
  participants: [ADA_OF_SERVER, BOB_OF_SERVER],
  last_message: null,
  unread_message_count: null,
  total_message_count: null,
};

export const CONVERSATION_INPUT: ConversationInput = {
  participants: ['ada', 'bob'],
  distinct: true,
  metadata: { topic: 'engines' },
};

export const CONVERSATION_PATCH: ConversationPatch = [
  { operation: 'set', property: 'metadata.topic', value: 'looms' },
  { operation: 'add', property: 'participants', id: 'grace' },
];
