import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { changeBodies, type ChangeStep } from '@parley/domain/json/change';
import { ConversationCreatedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { frameBody } from '../../connection/frame.ts';
import { renderPlain } from './plain.ts';
import type { Renderer, Rendering, Telling } from './index.ts';

/**
 * A patch: the steps for those who were there, the removal alone for those who were removed, the whole conversation for
 * those who were added.
 */
export const renderConversationUpdated: Renderer = (rendering, { event, recipients, ...telling }) => {
  if (event.body.case !== 'conversationUpdated') return;
  const added = new Set(event.body.value.added.map(({ userId }) => userId));
  const removed = new Set(event.body.value.removedUserIds);
  const [steps, removal] = [stepsFor(rendering, event), stepsFor(rendering, event, [...removed][0])];
  const fresh = recipients.filter(({ userId }) => added.has(userId));
  for (const recipient of recipients) {
    const { userId } = recipient;
    if (added.has(userId)) rendering.updates.forget(event, userId);
    else rendering.updates.patched(event, recipient, removed.has(userId) ? removal : steps);
  }
  if (fresh.length > 0) return welcome(rendering, { ...telling, event, recipients: fresh });
};

const stepsFor = ({ view }: Rendering, event: Event, userId?: string): ChangeStep[] =>
  changeBodies({ ...view, appId: event.appId, ...(userId !== undefined && { userId }) }, event).flatMap(
    (body) => (body.operation === 'update' ? body.data : []),
  );

/** What is hidden or gone counts for nothing, also when the conversation comes back. */
export const renderConversationGone: Renderer = (rendering, telling) => {
  for (const { userId } of telling.recipients) rendering.updates.forget(telling.event, userId);
  return renderPlain(rendering, telling);
};

const welcome = async (rendering: Rendering, { event, recipients }: Telling): Promise<void> => {
  const conversations = await Promise.all(recipients.map(({ userId }) => seenBy(rendering, userId, event)));
  recipients.forEach(({ userId, sockets }, index) => {
    const conversation = conversations[index];
    if (!conversation) return;
    const view = { ...rendering.view, appId: event.appId, userId };
    const created = {
      ...event,
      body: {
        case: 'conversationCreated' as const,
        value: create(ConversationCreatedSchema, { conversation }),
      },
    };
    for (const body of changeBodies(view, created).map(frameBody))
      for (const socket of sockets) socket.push('change', body);
  });
};

/** The conversation in a user's view; undefined when they are out of it again. */
const seenBy = async (
  { messaging }: Rendering,
  userId: string,
  { appId, conversationId }: Telling['event'],
): Promise<Conversation | undefined> => {
  try {
    return (await messaging.getConversation({ appId, id: conversationId, userId })).conversation;
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
};
