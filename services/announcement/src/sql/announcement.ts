import { create, fromBinary, toBinary } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import {
  AnnouncementBodySchema,
  AnnouncementSchema,
  type Announcement,
} from '@parley/proto/parley/announcement/v1/announcement_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';

export type AnnouncementRow = {
  app_id: string;
  id: string;
  request_id: string;
  sender_id: string;
  sent_at: number;
  body: Uint8Array;
  named_recipients: readonly string[];
};

export type NewAnnouncement = {
  appId: string;
  id: string;
  requestId: string;
  senderId: string;
  /** The sender's incarnation when the announcement was made. */
  senderIncarnation: number;
  sentAt: number;
  /** An encoded parley.announcement.v1.AnnouncementBody. */
  body: Uint8Array;
  recipientCount: number;
  namedRecipients: readonly string[];
};

export const ANNOUNCEMENT_COLUMNS = `
  a.app_id, a.id, a.request_id, a.sender_id, a.sent_at, a.body, a.named_recipients`;

/** False: an announcement has this id already. */
export async function insertAnnouncement(sql: Sql, announcement: NewAnnouncement): Promise<boolean> {
  const inserted = await sql.execute({
    name: 'insert_announcement',
    text: `
      insert into announcement (app_id, id, request_id, sender_id, sent_at, body, named_recipients, recipient_count,
        sender_incarnation)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6, $7, $8, nullif($9::float8, 0))
      on conflict do nothing`,
    values: [
      announcement.appId,
      announcement.id,
      announcement.requestId,
      announcement.senderId,
      announcement.sentAt,
      announcement.body,
      announcement.namedRecipients,
      announcement.recipientCount,
      announcement.senderIncarnation,
    ],
  });
  return inserted > 0;
}

/** The row of an announcement that has just been inserted. */
export function rowOf(announcement: NewAnnouncement): AnnouncementRow {
  return {
    app_id: announcement.appId,
    id: announcement.id,
    request_id: announcement.requestId,
    sender_id: announcement.senderId,
    sent_at: announcement.sentAt,
    body: announcement.body,
    named_recipients: announcement.namedRecipients,
  };
}

/** Finds an announcement; with `withdrawn` also one whose sender was erased. */
export async function findAnnouncement(
  sql: Sql,
  { appId, id, withdrawn = false }: { appId: string; id: string; withdrawn?: boolean },
): Promise<AnnouncementRow | undefined> {
  const [row] = await sql.query<AnnouncementRow>({
    name: 'find_announcement',
    text: `
      select ${ANNOUNCEMENT_COLUMNS} from announcement a
      where a.app_id = $1 and a.id = $2 and (a.deleted_at is null or $3)`,
    values: [appId, id, withdrawn],
  });
  return row;
}

/** Empties the next announcement by an incarnation of the sender before `version`; returns its id. */
export async function withdrawAnnouncement(
  sql: Sql,
  sender: { appId: string; userId: string; version: number; now: number },
): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>({
    text: `
      update announcement set body = '', deleted_at = to_timestamp($3::float8 / 1000)
      where app_id = $1 and id = (
        select id from announcement where app_id = $1 and sender_id = $2 and deleted_at is null
          and coalesce(sender_incarnation, 0) < $4
        order by app_id, sender_id, id limit 1)
      returning id`,
    values: [sender.appId, sender.userId, sender.now, sender.version],
  });
  return row?.id;
}

type Contents = Pick<Announcement, 'parts' | 'notification'>;

/** Encodes the parts and the notification as parley.announcement.v1.AnnouncementBody. */
export function encodeBody({ parts, notification }: Contents): Uint8Array {
  return toBinary(
    AnnouncementBodySchema,
    create(AnnouncementBodySchema, { parts, ...(notification && { notification }) }),
  );
}

export function toAnnouncement(row: AnnouncementRow, sender: BasicIdentity | undefined): Announcement {
  const { parts, notification } = fromBinary(AnnouncementBodySchema, row.body);
  return create(AnnouncementSchema, {
    appId: row.app_id,
    id: row.id,
    sentAt: row.sent_at,
    parts,
    recipientUserIds: [...row.named_recipients],
    ...(sender && { sender }),
    ...(notification && { notification }),
  });
}
