import type { MessageInput, ServerMessageInput } from '../records/message-input.ts';
import type { Message } from '../records/message.ts';
import type { MessagePart, PartInput } from '../records/part.ts';
import type { Reaction } from '../records/reaction.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { APP_BASE, BASE } from './base.ts';
import { ADA, ADA_OF_SERVER, BOB, BOB_OF_SERVER } from './identity.ts';

const MESSAGE_URL = `${BASE}/messages/${EXAMPLE.message}`;
const CONVERSATION_ID = `svc:///conversations/${EXAMPLE.conversation}`;
const SERVER_CONVERSATION_URL = `${APP_BASE}/conversations/${EXAMPLE.conversation}`;
const SERVER_MESSAGE_URL = `${SERVER_CONVERSATION_URL}/messages/${EXAMPLE.message}`;

/** The only part of Ada's message, as clients see it. */
export const PART: MessagePart = partAt(MESSAGE_URL);

/** The part as servers see it. */
export const SERVER_PART: MessagePart = partAt(SERVER_MESSAGE_URL);

export const PART_INPUT: PartInput = { mime_type: 'text/plain', body: 'Hello, Bob!' };

/** A message of Ada to Bob, as Bob sees it. */
export const MESSAGE: Message = {
  id: `svc:///messages/${EXAMPLE.message}`,
  url: MESSAGE_URL,
  receipts_url: `${MESSAGE_URL}/receipts`,
  position: 1,
  conversation: { id: CONVERSATION_ID, url: `${BASE}/conversations/${EXAMPLE.conversation}` },
  parts: [PART],
  sent_at: '2026-11-20T20:15:30.123Z',
  received_at: '2026-11-20T20:15:30.123Z',
  sender: ADA,
  is_unread: true,
  recipient_status: { 'svc:///identities/ada': 'read', 'svc:///identities/bob': 'sent' },
  updated_at: null,
};

/** The message as Ada, who sent it, sees it. */
export const SENT_MESSAGE: Message = { ...MESSAGE, is_unread: false };

/** The message as servers see it. */
export const SERVER_MESSAGE: Message = {
  ...MESSAGE,
  url: SERVER_MESSAGE_URL,
  receipts_url: null,
  conversation: { id: CONVERSATION_ID, url: SERVER_CONVERSATION_URL },
  parts: [SERVER_PART],
  received_at: null,
  sender: ADA_OF_SERVER,
  is_unread: null,
};

export const MESSAGE_INPUT: MessageInput = {
  id: EXAMPLE.message,
  parts: [PART_INPUT],
  notification: { title: 'Ada Lovelace', text: 'Hello, Bob!', sound: 'chime.aiff' },
};

export const SERVER_MESSAGE_INPUT: ServerMessageInput = { sender_id: 'ada', ...MESSAGE_INPUT };

/** Bob's reaction to Ada's message. */
export const REACTION: Reaction = {
  id: `svc:///messages/${EXAMPLE.message}/reactions/${EXAMPLE.reaction}`,
  key: '👍',
  user: BOB,
  created_at: '2026-11-20T20:16:00.000Z',
};

export const SERVER_REACTION: Reaction = { ...REACTION, user: BOB_OF_SERVER };

function partAt(messageUrl: string): MessagePart {
  return {
    id: `svc:///messages/${EXAMPLE.message}/parts/${EXAMPLE.part}`,
    url: `${messageUrl}/parts/${EXAMPLE.part}`,
    message_url: messageUrl,
    mime_type: 'text/plain',
    body: 'Hello, Bob!',
    encoding: null,
    content: null,
    updated_at: null,
  };
}
