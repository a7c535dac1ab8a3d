import { segment, type Names, type Parent } from './addresses.ts';
import { identityUri } from '../records/records.ts';

/** A record as a lean packet has it, or as any other socket has it. */
export type Json = Readonly<Record<string, unknown>>;

/** A user who reads, and how records are named. */
export type Reader = { readonly names: Names; readonly wire: string; readonly userId: string };

export function fullPerson(
  { names }: Reader,
  { user_id, display_name = null, avatar_url = null }: Json,
): Json {
  const { id, url } = names.identity(user_id as string);
  return { id, url, user_id, display_name, avatar_url };
}

export function fullContent({ names }: Reader, given: unknown, filename: unknown): Json | null {
  if (!given) return null;
  const { id, size, download_url = null, expiration = null } = given as Json;
  const query = typeof filename === 'string' ? `?filename=${segment(filename)}` : '';
  return {
    id: names.uri('content', id as string),
    size,
    download_url,
    expiration,
    refresh_url: names.url('content', { content_id: id as string }) + query,
    upload_url: null,
  };
}

export function fullPart(reader: Reader, parent: Parent, part: Json): Json {
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
    ...parent.part(part['id'] as string),
    message_url: parent.url,
    mime_type,
    body,
    encoding,
    content: fullContent(reader, content, part['filename']),
    updated_at,
  };
}

function fullParts(reader: Reader, parent: Parent, parts: unknown): Json[] {
  return (parts as Json[]).map((part) => fullPart(reader, parent, part));
}

function fullStatuses({ wire }: Reader, statuses: Json): Json {
  return Object.fromEntries(
    Object.entries(statuses).map(([userId, status]) => [identityUri(wire, userId), status]),
  );
}

function fullNotification(given: unknown): Json {
  if (given === undefined) return {};
  const { title = null, text = null, sound = null } = given as Json;
  return { notification: { title, text, sound } };
}

/** Restores a message. One without statuses is a new message from another user. */
export function fullMessage(reader: Reader, lean: Json): Json {
  const { names, userId } = reader;
  const { is_unread = true, updated_at = null, sent_at, sender } = lean;
  const parent = names.message(lean['id'] as string);
  const conversation_id = lean['conversation'] as string;
  const senderId = (sender as Json | undefined)?.['user_id'] as string | undefined;
  const asNew = { [userId]: 'sent', ...(senderId !== undefined && { [senderId]: 'read' }) };
  return {
    id: parent.uri,
    url: parent.url,
    receipts_url: names.url('message_receipts', { message_id: lean['id'] as string }),
    position: lean['position'],
    conversation: {
      id: names.uri('conversations', conversation_id),
      url: names.url('conversation', { conversation_id }),
    },
    parts: fullParts(reader, parent, lean['parts']),
    sent_at,
    received_at: sent_at,
    sender: sender ? fullPerson(reader, sender as Json) : null,
    is_unread,
    recipient_status: fullStatuses(reader, (lean['recipient_status'] as Json | undefined) ?? asNew),
    updated_at,
    ...fullNotification(lean['notification']),
  };
}

export function fullConversation(reader: Reader, lean: Json): Json {
  const { names } = reader;
  const { last_message: last } = lean;
  const ids = { conversation_id: lean['id'] as string };
  return {
    ...lean,
    id: names.uri('conversations', ids.conversation_id),
    url: names.url('conversation', ids),
    messages_url: names.url('messages', ids),
    participants: (lean['participants'] as Json[]).map((one) => fullPerson(reader, one)),
    last_message: last ? fullMessage(reader, last as Json) : null,
  };
}

export function fullAnnouncement(reader: Reader, lean: Json): Json {
  const { names, wire } = reader;
  const { sender } = lean;
  const parent = names.announcement(lean['id'] as string);
  return {
    ...lean,
    id: parent.uri,
    url: parent.url,
    receipts_url: names.url('announcement_receipts', { announcement_id: lean['id'] as string }),
    recipients: (lean['recipients'] as string[]).map((userId) => identityUri(wire, userId)),
    sender: sender ? fullPerson(reader, sender as Json) : null,
    parts: fullParts(reader, parent, lean['parts']),
    recipient_status: fullStatuses(reader, lean['recipient_status'] as Json),
    ...fullNotification(lean['notification']),
  };
}

export function fullIdentity(reader: Reader, lean: Json): Json {
  const { first_name = null, last_name = null, phone_number = null, email_address = null } = lean;
  const { public_key = null, presence } = lean;
  const { status, last_seen_at = null } = presence as Json;
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
