import { EXAMPLE } from '../schema/ids.ts';
import type { LeanMessageCreated, LeanSentMessage } from '../socket/lean.ts';
import type { AddressTemplates } from '../socket/hello.ts';
import { BASE } from './base.ts';
import { MESSAGE } from './message.ts';

/** Ada's message to Bob as a lean packet tells him of it. */
export const LEAN_MESSAGE: LeanMessageCreated = {
  operation: 'create',
  object: { type: 'Message', id: EXAMPLE.message },
  data: {
    position: 1,
    conversation: EXAMPLE.conversation,
    parts: [{ id: EXAMPLE.part, body: 'Hello, Bob!' }],
    sent_at: MESSAGE.sent_at,
    sender: { user_id: 'ada', display_name: 'Ada Lovelace' },
  },
  unread_message_count: 1,
};

/** The answer to Ada. */
export const LEAN_SENT: LeanSentMessage = {
  id: EXAMPLE.message,
  position: 1,
  sent_at: MESSAGE.sent_at,
  part_ids: [EXAMPLE.part],
};

export const TEMPLATES: AddressTemplates = {
  conversation: `${BASE}/conversations/{conversation_id}`,
  messages: `${BASE}/conversations/{conversation_id}/messages`,
  message: `${BASE}/messages/{message_id}`,
  message_receipts: `${BASE}/messages/{message_id}/receipts`,
  message_part: `${BASE}/messages/{message_id}/parts/{part_id}`,
  content: `${BASE}/content/{content_id}`,
  identity: `${BASE}/identities/{user_id}`,
  announcement: `${BASE}/announcements/{announcement_id}`,
  announcement_receipts: `${BASE}/announcements/{announcement_id}/receipts`,
  announcement_part: `${BASE}/announcements/{announcement_id}/parts/{part_id}`,
};
