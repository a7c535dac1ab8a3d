import type { Message } from '../records/message.ts';
import { EXAMPLE } from '../schema/ids.ts';

const BASE = 'https://chat.example.com';

/** A message of Ada to Bob, as Bob sees it. */
export const MESSAGE: Message = {
  id: `svc:///messages/${EXAMPLE.message}`,
  url: `${BASE}/messages/${EXAMPLE.message}`,
  receipts_url: `${BASE}/messages/${EXAMPLE.message}/receipts`,
  position: 1,
  conversation: {
    id: `svc:///conversations/${EXAMPLE.conversation}`,
    url: `${BASE}/conversations/${EXAMPLE.conversation}`,
  },
  parts: [
    {
      id: `svc:///messages/${EXAMPLE.message}/parts/${EXAMPLE.part}`,
      url: `${BASE}/messages/${EXAMPLE.message}/parts/${EXAMPLE.part}`,
      message_url: `${BASE}/messages/${EXAMPLE.message}`,
      mime_type: 'text/plain',
      body: 'Hello, Bob!',
      encoding: null,
      content: null,
      updated_at: null,
    },
  ],
  sent_at: '2026-11-20T20:15:30.123Z',
  received_at: '2026-11-20T20:15:30.123Z',
  sender: {
    id: 'svc:///identities/ada',
    url: `${BASE}/identities/ada`,
    user_id: 'ada',
    display_name: 'Ada Lovelace',
    avatar_url: null,
  },
  is_unread: true,
  recipient_status: { 'svc:///identities/ada': 'read', 'svc:///identities/bob': 'sent' },
  updated_at: null,
};
