import { changeBodies } from '@parley/domain/json/change';
import type { RecipientStatus, RecipientStatuses } from '@parley/domain/receipts';
import { isMemberAt } from '../../messaging/audiences.ts';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** `create Message`: one body for the sender and one for all other recipients; then the update of the conversation. */
export function renderMessageCreated(
  context: RenderContext,
  addressed: AddressedEvent,
): void | Promise<void> {
  const { event, recipients } = addressed;
  if (event.body.case !== 'messageCreated') return;
  const { message, hiddenFrom } = event.body.value;
  const senderId = message?.sender?.userId ?? '';
  const bodies = new Map<string, FrameBody>();
  for (const { userId, sockets } of recipients) {
    if (hiddenFrom.includes(userId)) continue;
    const body = bodyFor(context, addressed, { bodies, senderId, userId });
    for (const socket of sockets) socket.push('change', body);
    context.updates.messageCreated(event, userId);
  }
}

type Viewer = { bodies: Map<string, FrameBody>; senderId: string; userId: string };

function bodyFor(
  context: RenderContext,
  addressed: AddressedEvent,
  { bodies, senderId, userId }: Viewer,
): FrameBody {
  const isSender = userId === senderId;
  const key = isSender ? 'sender' : 'others';
  let body = bodies.get(key);
  if (!body) {
    const view = { ...context.view, appId: addressed.event.appId, userId };
    const statuses = statusesFor(context, addressed, { isSender, senderId });
    bodies.set(key, (body = frameBody(changeBodies(view, addressed.event, { statuses })[0])));
  }
  return body;
}

/** In a large conversation only the sender gets the statuses of all recipients; the rest get the sender's alone. */
function statusesFor(
  { maxStatusesInFrame }: RenderContext,
  addressed: AddressedEvent,
  { isSender, senderId }: { isSender: boolean; senderId: string },
): RecipientStatuses {
  const count = addressed.statuses?.size ?? addressed.audience?.members.length ?? 0;
  if (!isSender && count > maxStatusesInFrame) return statusesOf([], senderId);
  return addressed.statuses ?? allStatuses(addressed, senderId);
}

function allStatuses({ event, audience }: AddressedEvent, senderId: string): Map<string, RecipientStatus> {
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
