import { create } from '@parley/codec';
import { Code, ConnectError } from '@connectrpc/connect';
import { changeBodies, type ChangeStep } from '@parley/domain/json/change';
import { ConversationCreatedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { changeFrame } from './about.ts';
import { renderPlain } from './plain.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/**
 * A patch: its steps for the participants who stay, the removal for those who were removed and have nothing unread any more, and the whole
 * conversation for those who were added.
 */
export function renderConversationUpdated(
  context: RenderContext,
  { event, recipients }: AddressedEvent,
): void | Promise<void> {
  if (event.body.case !== 'conversationUpdated') return;
  const added = new Set(event.body.value.added.map(({ userId }) => userId));
  const removed = new Set(event.body.value.removedUserIds);
  const [steps, removal] = [stepsFor(context, event), stepsFor(context, event, [...removed][0])];
  const joining = recipients.filter(({ userId }) => added.has(userId));
  for (const recipient of recipients) {
    const { userId } = recipient;
    if (added.has(userId)) {
      forget(context, event, userId);
      continue;
    }
    if (removed.has(userId)) {
      // Later reactions are none of theirs.
      context.reactions.forget(event, userId);
      // Called before the patch, so that a replay adds nothing to the removal.
      context.updates.unreadIs(event, userId, 0);
    }
    context.updates.patched(event, recipient, removed.has(userId) ? removal : steps);
  }
  if (joining.length > 0) return pushWhole(context, { event, recipients: joining });
}

function forget({ updates, reactions }: RenderContext, event: Event, userId: string): void {
  updates.forget(event, userId);
  reactions.forget(event, userId);
}

function stepsFor({ view }: RenderContext, event: Event, userId?: string): ChangeStep[] {
  return changeBodies(
    { ...view, appId: event.appId, ...(userId !== undefined && { userId }) },
    event,
  ).flatMap((body) => (body.operation === 'update' ? body.data : []));
}

/** Unread counts of a hidden or deleted conversation are forgotten, since it may come back with different ones. */
export function renderConversationGone(
  context: RenderContext,
  addressed: AddressedEvent,
): void | Promise<void> {
  for (const { userId } of addressed.recipients) forget(context, addressed.event, userId);
  return renderPlain(context, addressed);
}

/** The user gets the whole conversation as they see it now. */
export function renderRelisted(context: RenderContext, addressed: AddressedEvent): Promise<void> {
  for (const { userId } of addressed.recipients) forget(context, addressed.event, userId);
  return pushWhole(context, addressed);
}

async function pushWhole(context: RenderContext, created: Creation): Promise<void> {
  await pushWholeConversation(context, created);
}

type Creation = Pick<AddressedEvent, 'event' | 'recipients'>;

/**
 * `create Conversation` for each recipient, in their view; nothing for one who does not see it any more. Answers the user ids of those who
 * see it.
 */
export async function pushWholeConversation(
  context: RenderContext,
  { event, recipients }: Creation,
): Promise<Set<string>> {
  const conversations = await Promise.all(
    recipients.map(({ userId }) => findConversationOf(context, userId, event)),
  );
  recipients.forEach(({ userId, sockets }, index) => {
    const conversation = conversations[index];
    if (!conversation) return;
    const view = { ...context.view, appId: event.appId, userId };
    const created = {
      ...event,
      body: {
        case: 'conversationCreated' as const,
        value: create(ConversationCreatedSchema, { conversation }),
      },
    };
    for (const body of changeBodies(view, created).map((one) => changeFrame(event, one)))
      for (const socket of sockets) socket.push('change', body);
  });
  return new Set(recipients.flatMap(({ userId }, index) => (conversations[index] ? [userId] : [])));
}

/** The conversation in a user's view; undefined if they have been removed again. */
async function findConversationOf(
  { messaging }: RenderContext,
  userId: string,
  { appId, conversationId }: AddressedEvent['event'],
): Promise<Conversation | undefined> {
  try {
    return (await messaging.getConversation({ appId, id: conversationId, userId })).conversation;
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}
