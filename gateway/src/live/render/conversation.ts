import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { changeBodies } from '@parley/domain/json/change';
import { ConversationCreatedSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { frameBody } from '../../socket/frame.ts';
import { renderPlain } from './plain.ts';
import type { Renderer, Rendering, Telling } from './index.ts';

/** A patch: the steps for those who were there, the whole conversation for those who were added. */
export const renderConversationUpdated: Renderer = (rendering, telling) => {
  const { event, recipients } = telling;
  if (event.body.case !== 'conversationUpdated') return;
  const added = new Set(event.body.value.added.map((identity) => identity.userId));
  renderPlain(rendering, { ...telling, recipients: recipients.filter(({ userId }) => !added.has(userId)) });
  const fresh = recipients.filter(({ userId }) => added.has(userId));
  for (const { userId } of fresh) rendering.updates.forget(event, userId);
  if (fresh.length > 0) return welcome(rendering, { ...telling, recipients: fresh });
};

/** What is hidden counts for nothing, also when the conversation comes back. */
export const renderConversationHidden: Renderer = (rendering, telling) => {
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
