import { EXAMPLE } from '../schema/ids.ts';
import { BASE } from './base.ts';

const TIMESTAMP = '2026-11-20T20:15:30.123Z';

/** A server packet with this body. */
export function packetOf(type: string, body: unknown, counter = 7): object {
  return { type, counter, timestamp: TIMESTAMP, body };
}

export const CONVERSATION_OBJECT = {
  type: 'Conversation',
  id: `svc:///conversations/${EXAMPLE.conversation}`,
  url: `${BASE}/conversations/${EXAMPLE.conversation}`,
} as const;

export const MESSAGE_OBJECT = {
  type: 'Message',
  id: `svc:///messages/${EXAMPLE.message}`,
  url: `${BASE}/messages/${EXAMPLE.message}`,
} as const;

export const PART_OBJECT = {
  type: 'MessagePart',
  id: `${MESSAGE_OBJECT.id}/parts/${EXAMPLE.part}`,
  url: `${MESSAGE_OBJECT.url}/parts/${EXAMPLE.part}`,
} as const;

export const ANNOUNCEMENT_OBJECT = {
  type: 'Announcement',
  id: `svc:///announcements/${EXAMPLE.announcement}`,
  url: `${BASE}/announcements/${EXAMPLE.announcement}`,
} as const;

export const IDENTITY_OBJECT = {
  type: 'Identity',
  id: 'svc:///identities/bob',
  url: `${BASE}/identities/bob`,
} as const;
