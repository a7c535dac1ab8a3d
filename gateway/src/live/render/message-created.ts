import { changeBodies } from '@parley/domain/json/change';
import type { RecipientStatus, RecipientStatuses } from '@parley/domain/receipts';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import type { Renderer, Rendering, Telling } from './index.ts';

/** `create Message`: one body for the sender and one for all others, however many they are; then the conversation's update. */
export const renderMessageCreated: Renderer = (rendering, telling) => {
  const { event, recipients } = telling;
  if (event.body.case !== 'messageCreated') return;
  const { message, hiddenFrom } = event.body.value;
  const senderId = message?.sender?.userId ?? '';
  const bodies = new Map<string, FrameBody>();
  for (const { userId, sockets } of recipients) {
    if (hiddenFrom.includes(userId)) continue;
    const body = bodyFor(rendering, telling, { bodies, senderId, userId });
    for (const socket of sockets) socket.push('change', body);
    rendering.updates.messageCreated(event, userId);
  }
};

type Reader = { bodies: Map<string, FrameBody>; senderId: string; userId: string };

const bodyFor = (rendering: Rendering, telling: Telling, { bodies, senderId, userId }: Reader): FrameBody => {
  const isSender = userId === senderId;
  const key = isSender ? 'sender' : 'others';
  let body = bodies.get(key);
  if (!body) {
    const view = { ...rendering.view, appId: telling.event.appId, userId };
    const statuses = statusesFor(rendering, telling, { isSender, senderId });
    bodies.set(key, (body = frameBody(changeBodies(view, telling.event, { statuses })[0])));
  }
  return body;
};

/** Only the sender has a use for all of them; in a large conversation the others get no more than the sender's. */
const statusesFor = (
  { maxStatusesInFrame }: Rendering,
  telling: Telling,
  { isSender, senderId }: { isSender: boolean; senderId: string },
): RecipientStatuses => {
  const count = telling.statuses?.size ?? telling.audience?.members.length ?? 0;
  if (!isSender && count > maxStatusesInFrame) return statusesOf([], senderId);
  return telling.statuses ?? allStatuses(telling, senderId);
};

const allStatuses = ({ event, audience }: Telling, senderId: string): Map<string, RecipientStatus> => {
  const ids: string[] = [];
  for (const member of audience?.members ?? []) {
    const there = member.joinedSeq <= event.seq && (member.leftSeq === 0 || member.leftSeq > event.seq);
    if (there && member.identity) ids.push(member.identity.userId);
  }
  return statusesOf(ids, senderId);
};

/** A message that was sent just now: read by its sender, sent to everybody else. */
const statusesOf = (userIds: readonly string[], senderId: string): Map<string, RecipientStatus> => {
  const statuses = new Map<string, RecipientStatus>(userIds.map((userId) => [userId, 'sent']));
  if (senderId) statuses.set(senderId, 'read');
  return statuses;
};
