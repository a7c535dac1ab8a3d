import { segment, type Names, type Parent } from './addresses.ts';
import type {
  LeanAnnouncement,
  LeanContent,
  LeanConversation,
  LeanIdentity,
  LeanMessage,
  LeanNotification,
  LeanPart,
  LeanPerson,
  LeanReactions,
  LeanStatuses,
} from './lean-records.ts';
import { identityUri } from '../records/records.ts';

/** The user who reads the packets, and the naming of records. */
export type Reader = { readonly names: Names; readonly wire: string; readonly userId: string };

export function fullPerson(
  { names }: Reader,
  { user_id, display_name = null, avatar_url = null }: LeanPerson,
) {
  const { id, url } = names.identity(user_id);
  return { id, url, user_id, display_name, avatar_url };
}

export function fullContent({ names }: Reader, given: LeanContent | undefined, filename: unknown) {
  if (!given) return null;
  const { id, size, download_url = null, expiration = null } = given;
  const query = typeof filename === 'string' ? `?filename=${segment(filename)}` : '';
  return {
    id: names.uri('content', id),
    size,
    download_url,
    expiration,
    refresh_url: names.url('content', { content_id: id }) + query,
    upload_url: null,
  };
}

export function fullPart(reader: Reader, parent: Parent, part: LeanPart) {
  const {
    mime_type = 'text/plain',
    body = null,
    encoding = null,
    updated_at = null,
    content,
    ...rest
  } = part;
  return {
    ...rest,
    ...parent.part(part.id),
    message_url: parent.url,
    mime_type,
    body,
    encoding,
    content: fullContent(reader, content, part.filename),
    updated_at,
  };
}

function fullParts(reader: Reader, parent: Parent, parts: readonly LeanPart[]) {
  return parts.map((part) => fullPart(reader, parent, part));
}

function fullStatuses({ wire }: Reader, statuses: LeanStatuses) {
  return Object.fromEntries(
    Object.entries(statuses).map(([userId, status]) => [identityUri(wire, userId), status]),
  );
}

function fullNotification(given: LeanNotification | undefined) {
  if (given === undefined) return {};
  const { title = null, text = null, sound = null } = given;
  return { notification: { title, text, sound } };
}

/** Restores a message. One without statuses is a new message from another user. */
export function fullMessage(reader: Reader, lean: LeanMessage) {
  const { names, userId } = reader;
  const { is_unread = true, updated_at = null, sent_at, sender } = lean;
  const parent = names.message(lean.id);
  const conversation_id = lean.conversation;
  const senderId = sender?.user_id;
  const asNew = { [userId]: 'sent', ...(senderId !== undefined && { [senderId]: 'read' }) };
  return {
    id: parent.uri,
    url: parent.url,
    receipts_url: names.url('message_receipts', { message_id: lean.id }),
    position: lean.position,
    conversation: {
      id: names.uri('conversations', conversation_id),
      url: names.url('conversation', { conversation_id }),
    },
    parts: fullParts(reader, parent, lean.parts),
    sent_at,
    received_at: sent_at,
    sender: sender ? fullPerson(reader, sender) : null,
    is_unread,
    recipient_status: fullStatuses(reader, lean.recipient_status ?? asNew),
    updated_at,
    ...fullNotification(lean.notification),
    ...(lean.metadata && { metadata: lean.metadata }),
    ...(lean.reactions && { reactions: fullReactions(reader, lean.reactions) }),
  };
}

function fullReactions(reader: Reader, reactions: LeanReactions) {
  return Object.fromEntries(
    Object.entries(reactions).map(([key, summary]) => [
      key,
      { ...summary, recent: fullIdentities(reader, summary.recent) },
    ]),
  );
}

export function fullIdentities({ wire }: Reader, userIds: readonly string[]): string[] {
  return userIds.map((userId) => identityUri(wire, userId));
}

export function fullConversation(reader: Reader, lean: LeanConversation) {
  const { names } = reader;
  const { last_message: last } = lean;
  const ids = { conversation_id: lean.id };
  return {
    ...lean,
    id: names.uri('conversations', ids.conversation_id),
    url: names.url('conversation', ids),
    messages_url: names.url('messages', ids),
    participants: lean.participants.map((one) => fullPerson(reader, one)),
    last_message: last ? fullMessage(reader, last) : null,
  };
}

export function fullAnnouncement(reader: Reader, lean: LeanAnnouncement) {
  const { names } = reader;
  const { sender } = lean;
  const parent = names.announcement(lean.id);
  return {
    ...lean,
    id: parent.uri,
    url: parent.url,
    receipts_url: names.url('announcement_receipts', { announcement_id: lean.id }),
    recipients: fullIdentities(reader, lean.recipients),
    sender: sender ? fullPerson(reader, sender) : null,
    parts: fullParts(reader, parent, lean.parts),
    recipient_status: fullStatuses(reader, lean.recipient_status),
    ...fullNotification(lean.notification),
  };
}

export function fullIdentity(reader: Reader, lean: LeanIdentity) {
  const { first_name = null, last_name = null, phone_number = null, email_address = null } = lean;
  const { public_key = null, presence } = lean;
  const { status, last_seen_at = null } = presence;
  return {
    ...lean,
    ...fullPerson(reader, lean),
    first_name,
    last_name,
    phone_number,
    email_address,
    public_key,
    presence: { status, last_seen_at },
  };
}
