import type { RecipientStatus } from '@parley/contract/gen/records';
import type { WriteBatch } from '../../records/write-batch.ts';
import { creates, type Announcement, type Change } from '../../records/records.ts';
import { keysOf } from '../../records/paths.ts';

/** A change of an announcement that this user received. */
export function applyAnnouncementChange(
  batch: WriteBatch,
  change: Exclude<Change, { method: string }>,
  me: string,
): void {
  const { id } = change.object;
  if (creates(change, 'Announcement')) batch.putAnnouncement(change.data);
  else if (change.operation === 'delete') batch.removeAnnouncement(id);
  else if (change.operation === 'update')
    for (const { property, value } of change.data) {
      const [root, reader] = keysOf(property);
      if (root === 'recipient_status' && reader === me)
        markAnnouncement(batch, id, { reader, status: value as RecipientStatus });
    }
}

type Mark = { readonly reader: string; readonly status: RecipientStatus };

/** Gives an announcement a status, unless it is further already. */
export function markAnnouncement(batch: WriteBatch, id: string, mark: Mark): void {
  const announcement = batch.announcement(id);
  if (!announcement) return;
  const marked = withMark(announcement, mark);
  if (marked !== announcement) batch.putAnnouncement(marked);
}

/** The announcement with a status; the same one if it is further already. */
export function withMark(announcement: Announcement, { reader, status }: Mark): Announcement {
  if (announcement.recipient_status?.[reader] === 'read') return announcement;
  return {
    ...announcement,
    is_unread: status === 'read' ? false : announcement.is_unread,
    recipient_status: { ...announcement.recipient_status, [reader]: status },
  };
}
