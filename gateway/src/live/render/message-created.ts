import { creationHead, messageText, seenMessageText, statusesText } from '@parley/domain/json/message-text';
import type { RecipientStatus } from '@parley/domain/receipts';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { isMemberAt } from '../../messaging/audiences.ts';
import { FrameBody } from '../../connection/frame.ts';
import { aboutMessage } from './about.ts';
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
  let written = 0;
  for (const { userId, sockets } of recipients) {
    const body = userId === senderId ? bodies.ofSender() : bodies.ofOthers();
    for (const socket of sockets) {
      socket.push('change', body);
      written += 1;
    }
    context.updates.messageCreated(event, userId);
  }
  context.delivered?.(event.appId, written);
}

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
