import type { Conversation, Message, MessagePart } from '@parley/contract/gen/records';
import { markAnnouncement } from '../sync/apply/announcement.ts';
import { applyChange } from '../sync/apply/change.ts';
import { applyConversationCreated } from '../sync/apply/conversation.ts';
import { changeMessage, withStatus } from '../sync/apply/message.ts';
import type { Context } from '../sync/context.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { concerns } from '../sync/read.ts';
import type { Change, Packet } from '../records/records.ts';
import { bringsOrRemoves, changesMessage, isShown } from './confirmed-by-packet.ts';
import { withEdit, withOwnAction } from './optimistic-view.ts';
import { laneOf, type Action, type Operation } from '../records/operation.ts';

/** Under which a value says what a conversation is really called that this device made another id for. */
export function aliasKey(conversation: string): `alias ${string}` {
  return `alias ${conversation}`;
}

type ConfirmContext = Pick<Context, 'me' | 'packetsDuringRequest'>;

type Confirmed = {
  readonly operation: Operation;
  readonly answer: unknown;
  readonly since: readonly Packet[];
};

/**
 * Gives the records the effect of an action that the platform has performed, as far as its packets have not come yet. The
 * packets that came since the request (`since`) are newer than what it says where the order matters.
 */
export function applyConfirmed(
  ctx: ConfirmContext,
  batch: WriteBatch,
  { operation, answer, since }: Confirmed,
): void {
  const { action } = operation;
  const had = (id: string): boolean => since.some(({ change }) => concerns(change, id));
  switch (action.kind) {
    case 'createConversation':
      return confirmConversation(batch, action, answer as Conversation, had);
    case 'send':
      if (!had(action.message)) record(ctx, batch, created(answer as Message));
      return;
    case 'deleteConversation':
      if (!since.some(({ change }) => bringsOrRemoves(change, action.conversation)))
        batch.removeConversation(action.conversation);
      return;
    case 'deleteMessage':
      return record(ctx, batch, deleted(action));
    case 'editParts':
      if (!since.some(({ change }) => changesMessage(change, action.message, 'parts')))
        changeMessage(batch, action.message, (message) => withEdit(message, action.edit, partsOf(answer)));
      return;
    case 'patchMessage':
      if (!since.some(({ change }) => changesMessage(change, action.message, 'metadata')))
        changeMessage(batch, action.message, (message) => withOwnAction(message, action, ctx.me));
      return;
    case 'react':
    case 'unreact':
      // Packets of others do not say what the user did, and its own packet has the same effect.
      changeMessage(batch, action.message, (message) => withOwnAction(message, action, ctx.me));
      return;
    case 'receipt':
      if (action.type === 'delivery') return markDelivered(ctx, batch, action.message);
      return awaitPacket(ctx, batch, operation);
    case 'patch':
    case 'markAllRead':
      return awaitPacket(ctx, batch, operation);
    case 'announcementReceipt': {
      const status = action.type === 'read' ? 'read' : 'delivered';
      return markAnnouncement(batch, action.announcement, { reader: ctx.me, status });
    }
    case 'deleteAnnouncement':
      return batch.removeAnnouncement(action.announcement);
  }
}

/** As if the packet had come; also for readings that are under way, which may show an earlier state. */
function record(ctx: ConfirmContext, batch: WriteBatch, change: Change): void {
  const packet = { change, timestamp: '' };
  applyChange(batch, packet, ctx.me);
  ctx.packetsDuringRequest.add([packet]);
}

/**
 * Keeps the operation on top of the records until its packet comes: packets that are older than it may come before, and would
 * take it back.
 */
function awaitPacket({ me }: ConfirmContext, batch: WriteBatch, operation: Operation): void {
  if (!isShown(batch, operation, me)) batch.putOperation({ ...operation, isDone: true });
}

function markDelivered({ me }: ConfirmContext, batch: WriteBatch, id: string): void {
  changeMessage(batch, id, (one) => withStatus(one, { reader: me, status: 'delivered', me }));
}

function created(message: Message): Change {
  return { operation: 'create', object: { type: 'Message', id: message.id }, data: message };
}

function deleted({ message: id, mode }: Extract<Action, { kind: 'deleteMessage' }>): Change {
  return { operation: 'delete', object: { type: 'Message', id }, data: { mode } };
}

function confirmConversation(
  batch: WriteBatch,
  action: Extract<Action, { kind: 'createConversation' }>,
  conversation: Conversation,
  had: (id: string) => boolean,
): void {
  if (conversation.id !== action.conversation) {
    batch.setValue(aliasKey(action.conversation), conversation.id);
    moveOperations(batch, action.conversation, conversation.id);
  }
  if (!had(conversation.id) || !batch.conversation(conversation.id))
    applyConversationCreated(batch, conversation);
}

/** Later actions of a conversation go to the one that it turned out to be. */
function moveOperations(batch: WriteBatch, from: string, to: string): void {
  for (const operation of batch.operations()) {
    const { action } = operation;
    if (laneOf(operation) !== from || !('conversation' in action) || action.kind === 'createConversation')
      continue;
    batch.putOperation({ ...operation, action: { ...action, conversation: to } });
  }
}

/** The parts that an edit answers: all, one or none. */
function partsOf(answer: unknown): MessagePart[] {
  return answer === undefined ? [] : [answer as MessagePart | MessagePart[]].flat();
}
