import {
  leanCreation,
  leanCreationEnd,
  type LeanCreation,
  type LeanReader,
} from '@parley/domain/json/lean-message';
import {
  creationHead,
  messageText,
  seenMessageText,
  statusesText,
  type MessageText,
} from '@parley/domain/json/message-text';
import type { View } from '@parley/domain/json/view';
import type { RecipientStatus, RecipientStatuses } from '@parley/domain/receipts';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { isMemberAt } from '../../../upstream/messaging/audiences.ts';
import { bytesOf, FrameBody } from '../../connection/frame.ts';
import type { About } from '../../connection/gone-objects.ts';
import { aboutMessage } from './about.ts';
import { pushWholeConversation } from './conversation.ts';
import type { PacketSink, Recipient } from './recipients.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** `create Message`: one body for the sender and one for all other recipients, followed by the update of the conversation. */
export function renderMessageCreated(
  context: RenderContext,
  addressed: AddressedEvent,
): void | Promise<void> {
  const { event, recipients } = addressed;
  if (event.body.case !== 'messageCreated') return;
  const { message } = event.body.value;
  if (!message) return;
  context.note(event.appId, message);
  const senderId = message.sender?.userId ?? '';
  const bodies = createBodies(context, addressed, message);
  const returning: Recipient[] = [];
  const wasToldGone = (socket: PacketSink) => socket.wasToldGone?.(event.conversationId, event.seq) === true;
  let written = 0;
  for (const recipient of recipients) {
    const { userId, sockets } = recipient;
    if (sockets.some(wasToldGone)) {
      returning.push(recipient);
      continue;
    }
    written += pushTo(context, event, { recipient, bodies, isSender: userId === senderId });
  }
  context.delivered?.(event.appId, written);
  if (returning.length > 0) return bringBack(context, event, { returning, bodies, senderId, wasToldGone });
}

type Delivery = { recipient: Recipient; bodies: Bodies; isSender: boolean };

/** Pushes a message to one user's sockets and returns their number. A lean socket that sent the message does not need its packet. */
function pushTo(
  context: RenderContext,
  event: AddressedEvent['event'],
  { recipient: { userId, sockets }, bodies, isSender }: Delivery,
): number {
  const unread = context.updates.messageCreated(event, userId, sockets.every(isLean));
  const reader = isSender ? undefined : userId;
  // The count has changed by then; an update delivers it.
  const release = (socket: PacketSink) => () => {
    socket.push('change', bodies.lean(reader, undefined));
    context.updates.changed(event, userId);
  };
  // A socket that knows the conversation is gone learns from the message that it is back.
  const isLeftOut = (socket: PacketSink) =>
    isSender &&
    socket.wasToldGone?.(event.conversationId, event.seq) !== true &&
    socket.ownMessages?.takes(bodies.id, release(socket)) === true;
  let written = 0;
  for (const socket of sockets) {
    if (isLeftOut(socket)) continue;
    if (socket.isLean) socket.push('change', bodies.lean(reader, unread));
    else socket.push('change', isSender ? bodies.ofSender() : bodies.ofOther(userId));
    written += 1;
  }
  return written;
}

function isLean(socket: PacketSink): boolean {
  return socket.isLean === true;
}

type Return = {
  returning: readonly Recipient[];
  bodies: Bodies;
  senderId: string;
  wasToldGone: (socket: PacketSink) => boolean;
};

/**
 * The message that brings a hidden conversation back: sockets that know it is gone get the conversation first. Users who do not see it by
 * now get nothing.
 */
async function bringBack(
  context: RenderContext,
  event: AddressedEvent['event'],
  { returning, bodies, senderId, wasToldGone }: Return,
): Promise<void> {
  const told = returning.map(({ userId, sockets }) => ({ userId, sockets: sockets.filter(wasToldGone) }));
  // Without the conversation, the message says that it is back; the client reads it by REST, as any conversation it does not know.
  const seeing = await pushWholeConversation(context, { event, recipients: told }).catch(
    () => new Set(returning.map(({ userId }) => userId)),
  );
  for (const { userId, sockets } of returning.filter((recipient) => seeing.has(recipient.userId))) {
    const recipient = { userId, sockets };
    const written = pushTo(context, event, { recipient, bodies, isSender: userId === senderId });
    context.delivered?.(event.appId, written);
  }
}

type Bodies = ReturnType<typeof createBodies>;

/** Each body is made when it is first needed, from one shared text of the message. */
function createBodies(context: RenderContext, addressed: AddressedEvent, message: Message) {
  const { event, statuses } = addressed;
  const view = { ...context.view, appId: event.appId };
  const senderId = message.sender?.userId ?? '';
  const namesAll = countOf(addressed) <= context.maxStatusesInFrame;
  const about = aboutMessage(event, message.id);
  const ofNew = () => newStatuses(addressed, senderId);
  const lean = createLeanBodies({ view, message, about, namesAll, statuses, ofNew });
  let text: MessageText | undefined;
  let all: string | undefined;
  let sender: FrameBody | undefined;
  let others: FrameBody | undefined;

  function allStatuses(): string {
    return (all ??= statusesText(view.wire, statuses ?? newStatuses(addressed, senderId)));
  }
  function bodyOf(isUnread: boolean, seen: string): FrameBody {
    text ??= context.texts ? context.texts.of(view, message) : messageText(view, message);
    const head = creationHead(view, message);
    return new FrameBody(`${head}${seenMessageText(text, { isUnread, statuses: seen })}}`, {
      isAscii: text.isAscii,
      about,
    });
  }
  return {
    id: message.id,
    lean,
    ofSender: () => (sender ??= bodyOf(false, allStatuses())),
    /**
     * In a large conversation only the sender gets the statuses of all recipients; others get only the sender's. The body of a new message
     * is shared by them; a replayed message, which its reader may have read since, has one reader.
     */
    ofOther: (userId: string) =>
      (others ??= bodyOf(
        statuses ? isUnreadBy(statuses, userId) : true,
        namesAll ? allStatuses() : statusesText(view.wire, statusesOf([], senderId)),
      )),
  };
}

type LeanOptions = {
  view: View;
  message: Message;
  about: About;
  /** Statuses of a replayed message. */
  statuses: RecipientStatuses | undefined;
  /** Statuses of a new message. */
  ofNew(): RecipientStatuses;
  /** Whether recipients other than the sender get the statuses of all recipients. */
  namesAll: boolean;
};

function isUnreadBy(statuses: RecipientStatuses, userId: string): boolean {
  const status = statuses.get(userId);
  return status !== undefined && status !== 'read';
}

/**
 * Lean bodies of a message, by the reader's unread count. The sender's body has the statuses of all recipients, and a replayed body its
 * reader's status; a new message's body has none, since it is shared by all readers.
 */
function createLeanBodies({ view, message, about, statuses, ofNew, namesAll }: LeanOptions) {
  const senders = statusesOf([], message.sender?.userId ?? '');
  const made = new Map<string, FrameBody>();
  let creation: LeanCreation | undefined;
  let startBytes: string | undefined;

  function seenBy(reader: string | undefined): LeanReader['seen'] {
    if (reader === undefined) return { isUnread: false, statuses: statuses ?? ofNew() };
    return statuses && { isUnread: isUnreadBy(statuses, reader), statuses: namesAll ? statuses : senders };
  }
  /** `reader`: undefined for the sender. A replay has one reader, who is not the sender. */
  return (reader: string | undefined, unread: number | undefined): FrameBody => {
    const key = `${reader === undefined} ${unread}`;
    const known = made.get(key);
    if (known) return known;
    creation ??= leanCreation(view, message);
    const seen = seenBy(reader);
    const end = leanCreationEnd({ seen, unread });
    // A long text is encoded once for all counts.
    if (!creation.isAscii && !seen) startBytes ??= bytesOf(creation.start);
    const body = new FrameBody(creation.start + end, {
      isAscii: creation.isAscii && !seen,
      bytes: startBytes && !seen ? startBytes + end : undefined,
      isLean: true,
      about,
    });
    made.set(key, body);
    return body;
  };
}

function countOf({ statuses, audience }: AddressedEvent): number {
  return statuses?.size ?? audience?.members.length ?? 0;
}

function newStatuses({ event, audience }: AddressedEvent, senderId: string): Map<string, RecipientStatus> {
  const ids: string[] = [];
  if (event.body.case === 'messageCreated' && event.body.value.withoutReceipts)
    return statusesOf(ids, senderId);
  for (const member of audience?.members ?? []) {
    if (member.identity && isMemberAt(member, event.seq)) ids.push(member.identity.userId);
  }
  return statusesOf(ids, senderId);
}

/** The statuses of a new message: read by the sender, sent to all other participants. */
function statusesOf(userIds: readonly string[], senderId: string): Map<string, RecipientStatus> {
  const statuses = new Map<string, RecipientStatus>(userIds.map((userId) => [userId, 'sent']));
  if (senderId) statuses.set(senderId, 'read');
  return statuses;
}
