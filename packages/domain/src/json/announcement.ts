import type {
  Announcement as AnnouncementJson,
  AnnouncementPart as AnnouncementPartJson,
} from '@parley/contract/records/announcement';
import type { Reference } from '@parley/contract/records/reference';
import {
  RecipientStatus as Status,
  type Announcement,
  type ReceivedAnnouncement,
} from '@parley/proto/parley/announcement/v1/announcement_pb';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { identityUri } from '../ids.ts';
import type { RecipientStatus } from '../receipts.ts';
import { basicIdentityJson } from './identity.ts';
import { notificationJson } from './notification.ts';
import { contentJson, partJsonAt } from './part.ts';
import { isoTime } from './time.ts';
import { announcementUrl, type View } from './view.ts';

const RECIPIENT_STATUSES: Record<Status, RecipientStatus> = {
  [Status.UNSPECIFIED]: 'sent',
  [Status.SENT]: 'sent',
  [Status.DELIVERED]: 'delivered',
  [Status.READ]: 'read',
};

/** The view of the app that sent the announcement: docs/protocol/records.md#announcement */
export function announcementJson(view: View, announcement: Announcement): AnnouncementJson {
  const json: AnnouncementJson = {
    ...announcementReference(view, announcement.id),
    sent_at: isoTime(announcement.sentAt),
    recipients: announcement.recipientUserIds.map((userId) => identityUri(view.wire, userId)),
    sender: announcement.sender ? basicIdentityJson(view, announcement.sender) : null,
    parts: announcement.parts.map((part) => partJson(view, announcement, part)),
    receipts_url: null,
    position: null,
    is_unread: null,
    recipient_status: null,
  };
  if (announcement.notification) json.notification = notificationJson(announcement.notification);
  return json;
}

/**
 * JSON of an announcement as one of its recipients, `view.userId`, sees it: only the reader's own status, and if there are too many
 * recipients, only the reader. docs/protocol/records.md#announcement
 */
export function receivedAnnouncementJson(view: View, received: ReceivedAnnouncement): AnnouncementJson {
  const { announcement, position } = received;
  if (!announcement) throw new TypeError('a received announcement without its announcement');
  const json = announcementJson(view, announcement);
  const reader = identityUri(view.wire, view.userId ?? '');
  const status = RECIPIENT_STATUSES[received.status];
  return {
    ...json,
    recipients: json.recipients.length > 0 ? json.recipients : [reader],
    receipts_url: `${json.url}/receipts`,
    position,
    is_unread: status !== 'read',
    recipient_status: { [reader]: status },
  };
}

export function announcementReference(view: View, id: string): Reference {
  return { id: view.wire.uri('announcements', id), url: announcementUrl(view, id) };
}

/** The parent of the part is the announcement: docs/protocol/records.md#messagepart */
function partJson(view: View, announcement: Announcement, part: Part): AnnouncementPartJson {
  const parent = announcementReference(view, announcement.id);
  const place = { conversationId: '', filename: part.filename };
  return partJsonAt(part, {
    id: `${parent.id}/parts/${part.id}`,
    url: `${parent.url}/parts/${part.id}`,
    parentUrl: parent.url,
    content: part.content ? contentJson(contentView(view, announcement), place, part.content) : null,
  });
}

// Content paths of servers include a conversation. An announcement has none, so the server uses the sender's path.
function contentView(view: View, { sender }: Announcement): View {
  if (view.audience !== 'server') return view;
  return { ...view, audience: 'user', userId: sender?.userId ?? '' };
}
