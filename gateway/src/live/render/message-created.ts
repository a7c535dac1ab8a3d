import { creationHead, messageText, seenMessageText, statusesText } from '@parley/domain/json/message-text';
import type { RecipientStatus } from '@parley/domain/receipts';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { isMemberAt } from '../../messaging/audiences.ts';
import { FrameBody } from '../../connection/frame.ts';
import { aboutMessage } from './about.ts';
import { pushWholeConversation } from './conversation.ts';
import type { PacketSink, Recipient } from './recipients.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** `create Message`: one body for the sender and one for all other recipients; then the update of the conversation. */
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
    const body = userId === senderId ? bodies.ofSender() : bodies.ofOthers();
    for (const socket of sockets) {
      socket.push('change', body);
      written += 1;
    }
    context.updates.messageCreated(event, userId);
  }
  context.delivered?.(event.appId, written);
  if (returning.length > 0) return bringBack(context, event, { returning, bodies, senderId, wasToldGone });
}

type Return = {
  returning: readonly Recipient[];
  bodies: Bodies;
  senderId: string;
  wasToldGone: (socket: PacketSink) => boolean;
};

/**
 * The message that brings a hidden conversation back: sockets that were told that it is gone get the conversation first. Nothing for a
 * user who does not see it by now.
 */
async function bringBack(
  context: RenderContext,
  event: AddressedEvent['event'],
  { returning, bodies, senderId, wasToldGone }: Return,
): Promise<void> {
  const told = returning.map(({ userId, sockets }) => ({ userId, sockets: sockets.filter(wasToldGone) }));
  // Without the conversation the message says that it is back; the client reads it by REST, as it does for one that it does not know.
  const seeing = await pushWholeConversation(context, { event, recipients: told }).catch(
    () => new Set(returning.map(({ userId }) => userId)),
  );
  for (const { userId, sockets } of returning.filter((recipient) => seeing.has(recipient.userId))) {
    const body = userId === senderId ? bodies.ofSender() : bodies.ofOthers();
    for (const socket of sockets) socket.push('change', body);
    context.updates.messageCreated(event, userId);
    context.delivered?.(event.appId, sockets.length);
  }
}

type Bodies = ReturnType<typeof createBodies>;

/** Each body is made when it is first asked for, of one text of the message. */
function createBodies(context: RenderContext, addressed: AddressedEvent, message: Message) {
  const { event, statuses } = addressed;
  const view = { ...context.view, appId: event.appId };
  const senderId = message.sender?.userId ?? '';
  const text = context.texts ? context.texts.of(view, message) : messageText(view, message);
  const namesAll = countOf(addressed) <= context.maxStatusesInFrame;
  const head = creationHead(view, message);
  const about = aboutMessage(event, message.id);
  let all: string | undefined;
  let sender: FrameBody | undefined;
  let others: FrameBody | undefined;

  function allStatuses(): string {
    return (all ??= statusesText(view.wire, statuses ?? newStatuses(addressed, senderId)));
  }
  function bodyOf(isUnread: boolean, seen: string): FrameBody {
    return new FrameBody(`${head}${seenMessageText(text, { isUnread, statuses: seen })}}`, {
      isAscii: text.isAscii,
      about,
    });
  }
  return {
    ofSender: () => (sender ??= bodyOf(false, allStatuses())),
    /** In a large conversation only the sender gets the statuses of all recipients; the rest get the sender's alone. */
    ofOthers: () =>
      (others ??= bodyOf(true, namesAll ? allStatuses() : statusesText(view.wire, statusesOf([], senderId)))),
  };
}

function countOf({ statuses, audience }: AddressedEvent): number {
  return statuses?.size ?? audience?.members.length ?? 0;
}

function newStatuses({ event, audience }: AddressedEvent, senderId: string): Map<string, RecipientStatus> {
  const ids: string[] = [];
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
