import type { Announcement, AnnouncementInput } from '../records/announcement.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { ADA, ADA_OF_SERVER } from './identity.ts';
import { APP_BASE, BASE } from './base.ts';

const ID = `svc:///announcements/${EXAMPLE.announcement}`;

function announcement(root: string): Announcement {
  const url = `${root}/announcements/${EXAMPLE.announcement}`;
  return {
    id: ID,
    url,
    sent_at: '2026-11-20T20:15:30.123Z',
    recipients: ['svc:///identities/bob'],
    sender: root === BASE ? ADA : ADA_OF_SERVER,
    parts: [
      {
        id: `${ID}/parts/${EXAMPLE.part}`,
        url: `${url}/parts/${EXAMPLE.part}`,
        message_url: url,
        mime_type: 'text/plain',
        body: 'The office is closed on Friday.',
        encoding: null,
        content: null,
        updated_at: null,
      },
    ],
    receipts_url: null,
    position: null,
    is_unread: null,
    recipient_status: null,
  };
}

/** The announcement as the server that sent it sees it. */
export const SENT_ANNOUNCEMENT: Announcement = announcement(APP_BASE);

/** The announcement as Bob sees it. */
export const ANNOUNCEMENT: Announcement = {
  ...announcement(BASE),
  receipts_url: `${BASE}/announcements/${EXAMPLE.announcement}/receipts`,
  position: 1,
  is_unread: true,
  recipient_status: { 'svc:///identities/bob': 'sent' },
};

export const ANNOUNCEMENT_INPUT: AnnouncementInput = {
  sender_id: 'ada',
  recipients: ['bob'],
  parts: [{ mime_type: 'text/plain', body: 'The office is closed on Friday.' }],
};
