import type { Conversation, Message } from '@parley/client';
import { uuidOf, type TestUser } from '../../test/support/app.ts';
import type { Json } from '../../test/support/json.ts';
import type { Device } from './device.ts';

/**
 * The fields in which a device agrees with REST once it is quiet. Left out: signed addresses; and, since no packet says them,
 * the time of a message's last edit, the statuses of other users of messages of others, the total count, and
 * what messages of blocked users, and those that the user hid, do to the order of the list.
 */
export type Shown = {
  id: string;
  participants: string[];
  metadata: unknown;
  distinct: boolean;
  unread: number;
  last: string | null;
  messages: {
    id: string;
    position: number | undefined;
    sender: string | undefined;
    isUnread: boolean;
    statuses: Record<string, string>;
    parts: ShownPart[];
  }[];
};

type ShownPart = { id: string; mime_type: string; body: string | null; content: string | null };

export type ShownAnnouncement = {
  id: string;
  isUnread: boolean;
  status: string | undefined;
  parts: ShownPart[];
};

/** All that is compared. */
export type ShownToUser = { conversations: Shown[]; announcements: ShownAnnouncement[] };

/** Reads a user's lists by REST, in their order. */
export async function shownByRest(user: TestUser): Promise<ShownToUser> {
  const [conversations, { body }] = await Promise.all([
    conversationsByRest(user),
    user.call('GET', '/announcements?page_size=100', 200),
  ]);
  return { conversations, announcements: (body as Json[]).map((one) => announcementShown(one, user.uri)) };
}

function announcementShown({ id, is_unread, recipient_status, parts }: Json, me: string): ShownAnnouncement {
  return { id, isUnread: is_unread, status: recipient_status?.[me], parts: parts.map(partOf) };
}

async function conversationsByRest(user: TestUser): Promise<Shown[]> {
  const { body } = await user.call('GET', '/conversations?sort_by=last_message&page_size=100', 200);
  return Promise.all((body as Json[]).map((conversation) => conversationByRest(user, conversation)));
}

async function conversationByRest(user: TestUser, conversation: Json): Promise<Shown> {
  const path = `/conversations/${uuidOf(conversation.id)}/messages?page_size=100`;
  const { body } = await user.call('GET', path, 200);
  return {
    id: conversation.id,
    participants: conversation.participants.map(({ user_id }: Json) => user_id).sort(),
    metadata: conversation.metadata,
    distinct: conversation.distinct,
    unread: conversation.unread_message_count,
    last: conversation.last_message?.id ?? null,
    messages: (body as Json[]).toReversed().map((message) => ({
      id: message.id,
      position: message.position,
      sender: message.sender?.user_id,
      isUnread: message.is_unread,
      statuses: statusesFor(user.uri, message.sender?.id, message.recipient_status),
      parts: message.parts.map(partOf),
    })),
  };
}

type Part = { id: string; mime_type: string; body: string | null; content: { id: string } | null };

function partOf({ id, mime_type, body, content }: Part): ShownPart {
  return { id, mime_type, body, content: content?.id ?? null };
}

function statusesFor(me: string, sender: string | undefined, statuses: Readonly<Record<string, string>>) {
  const own = Object.entries(statuses).filter(([id]) => sender === me || id === me);
  return Object.fromEntries(own.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whom the user ever blocked, and in which conversations they hid messages. */
type Hidden = { readonly users: ReadonlySet<string>; readonly conversations: ReadonlySet<string> };

/**
 * REST sorts by messages of blocked users and by hidden ones too, which may never have reached the device: conversations that may have
 * some come last, by their ids. So do those that a user who blocked others has left, whose participants are not known.
 */
export function withoutHiddenOrder(shown: ShownToUser, { users, conversations: hid }: Hidden): ShownToUser {
  const isHidden = ({ id, participants }: Shown): boolean =>
    hid.has(id) ||
    (users.size > 0 && (participants.length === 0 || participants.some((one) => users.has(one))));
  const { conversations } = shown;
  const sorted = conversations.filter((one) => !isHidden(one));
  const hidden = conversations.filter(isHidden).sort((one, other) => (one.id < other.id ? -1 : 1));
  return { ...shown, conversations: [...sorted, ...hidden] };
}

/** The library before deliveries up to a position ignores their packets: it shows such messages as sent until it reads them again. */
export function withoutDeliveries({ conversations, announcements }: ShownToUser): ShownToUser {
  const sent = (statuses: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(statuses).map(([id, status]) => [id, status === 'delivered' ? 'sent' : status]),
    );
  const shown = conversations.map((conversation) => ({
    ...conversation,
    messages: conversation.messages.map((message) => ({ ...message, statuses: sent(message.statuses) })),
  }));
  return { conversations: shown, announcements };
}

/** Reads the lists that a device shows. Undefined while a part of them is not known yet. */
export function shownByDevice(device: Device, me: string): ShownToUser | undefined {
  const conversations = conversationsByDevice(device, me);
  const query = device.announcements();
  const { items, status, hasOlder } = query.getSnapshot();
  if (hasOlder && status === 'ready') query.loadOlder().catch(() => undefined);
  if (!conversations || hasOlder || status === 'loading') return undefined;
  return { conversations, announcements: items.map((one) => announcementShown(one, me)) };
}

function conversationsByDevice(device: Device, me: string): Shown[] | undefined {
  const list = device.client.conversations().getSnapshot();
  if (list.status === 'loading') return undefined;
  const all: Shown[] = [];
  for (const conversation of list.items) {
    const query = device.messages(conversation.id);
    const { items, status, hasOlder } = query.getSnapshot();
    if (status === 'loading') return undefined;
    if (hasOlder) {
      query.loadOlder().catch(() => undefined);
      return undefined;
    }
    all.push(conversationByDevice(conversation, items, me));
  }
  return all;
}

function conversationByDevice(conversation: Conversation, items: readonly Message[], me: string): Shown {
  return {
    id: conversation.id,
    participants: conversation.participants.map(({ user_id }) => user_id).sort(),
    metadata: conversation.metadata,
    distinct: conversation.distinct,
    unread: conversation.unreadCount,
    last: conversation.lastMessage?.id ?? null,
    messages: items.map((message) => ({
      id: message.id,
      position: message.position,
      sender: message.sender?.user_id,
      isUnread: message.isUnread,
      statuses: statusesFor(me, message.sender?.id, message.recipientStatus),
      parts: message.parts.map(partOf),
    })),
  };
}
