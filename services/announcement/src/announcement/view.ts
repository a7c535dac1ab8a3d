import { create } from '@parley/codec';
import {
  ReceivedAnnouncementSchema,
  RecipientStatus,
  type ReceivedAnnouncement,
} from '@parley/proto/parley/announcement/v1/announcement_pb';
import type { Context } from '../context.ts';
import { toAnnouncement } from '../sql/announcement.ts';
import type { ReceivedRow } from '../sql/received.ts';

function statusOf({ delivered_at, read_at }: ReceivedRow): RecipientStatus {
  if (read_at !== null) return RecipientStatus.READ;
  return delivered_at === null ? RecipientStatus.SENT : RecipientStatus.DELIVERED;
}

/** Announcements as their recipient sees them, with the senders' current names. */
export async function viewReceived(
  ctx: Context,
  appId: string,
  rows: readonly ReceivedRow[],
): Promise<ReceivedAnnouncement[]> {
  const senders = await ctx.senders.find(
    appId,
    rows.map((row) => row.sender_id),
  );
  return rows.map((row) =>
    create(ReceivedAnnouncementSchema, {
      announcement: toAnnouncement(row, senders.get(row.sender_id)),
      position: row.position,
      status: statusOf(row),
    }),
  );
}
