import type { Conversation, Message, MessagePart } from '@parley/contract/gen/records';
import { markAnnouncement } from '../sync/apply/announcement.ts';
import { applyChange } from '../sync/apply/change.ts';
import { applyConversationCreated, conversationAfter } from '../sync/apply/conversation.ts';
import {
  applyMessageCreated,
  applyMessageDeleted,
  changeMessage,
  withStatus,
} from '../sync/apply/message.ts';
import type { Context } from '../sync/context.ts';
import type { Draft } from '../sync/draft.ts';
import { concerns } from '../sync/reading.ts';
import type { Change, Packet, Step, StoredConversation } from '../sync/records.ts';
import { laneOf, type Action, type Operation } from './operation.ts';

/** Under which a value says what a conversation is really called that this device made another id for. */
export function aliasKey(conversation: string): string {
  return `alias ${conversation}`;
}

type Confirmed = {
  readonly operation: Operation;
  readonly answer: unknown;
  readonly since: readonly Packet[];
};

/**
 * Gives the records the effect of an action that the platform has performed, as far as its packets have not come yet. The
 * packets that came since the request (`since`) are newer than what it says where the order matters.
 */
export function applyConfirmed(ctx: Context, draft: Draft, { operation, answer, since }: Confirmed): void {
  const { action } = operation;
  const had = (id: string): boolean => since.some((packet) => concerns(packet, id));
  switch (action.kind) {
    case 'createConversation':
      return confirmConversation(draft, action, answer as Conversation, had);
    case 'send':
      if (!had(action.message)) record(ctx, draft, created(answer as Message));
      return;
    case 'patch':
      if (!had(action.conversation)) confirmPatch(ctx, draft, action);
      return;
    case 'deleteConversation':
      if (!had(action.conversation)) draft.removeConversation(action.conversation);
      return;
    case 'deleteMessage':
      return record(ctx, draft, deleted(action));
    case 'editParts':
      if (!had(action.message)) confirmEdit(draft, action, answer);
      return;
    case 'receipt':
      return confirmReceipt(ctx, draft, action, had(action.conversation));
    case 'markAllRead':
      return confirmAllRead(ctx, draft, action, had(action.conversation));
    case 'announcementReceipt': {
      const status = action.type === 'read' ? 'read' : 'delivered';
      return markAnnouncement(draft, action.announcement, { reader: ctx.me, status });
    }
    case 'deleteAnnouncement':
      return draft.removeAnnouncement(action.announcement);
  }
}

/** As if the packet had come; also for readings that are under way, which may show an earlier state. */
function record(ctx: Context, draft: Draft, change: Change): void {
  if (!('method' in change) && change.operation === 'create')
    applyMessageCreatedQuietly(draft, change.data as Message);
  else if (!('method' in change) && change.operation === 'delete')
    applyMessageDeleted(draft, change.object.id, { isForAll: change.data.mode === 'all_participants' });
  else applyChange(draft, { change, timestamp: '' }, ctx.me);
  ctx.journal.add([{ change, timestamp: '' }]);
}

/** The newest message is one's own; whether others came before it is not known, so nothing is counted. */
function applyMessageCreatedQuietly(draft: Draft, message: Message): void {
  const before = draft.conversation(message.conversation.id);
  applyMessageCreated(draft, message);
  const after = draft.conversation(message.conversation.id);
  if (before && after) draft.putConversation({ ...after, counted_to: before.counted_to });
}

function created(message: Message): Change {
  return { operation: 'create', object: { type: 'Message', id: message.id }, data: message };
}

function deleted({ message: id, mode }: Extract<Action, { kind: 'deleteMessage' }>): Change {
  return { operation: 'delete', object: { type: 'Message', id }, data: { mode } };
}

function confirmConversation(
  draft: Draft,
  action: Extract<Action, { kind: 'createConversation' }>,
  conversation: Conversation,
  had: (id: string) => boolean,
): void {
  if (conversation.id !== action.conversation) {
    draft.setValue(aliasKey(action.conversation), conversation.id);
    moveOperations(draft, action.conversation, conversation.id);
  }
  if (!had(conversation.id) || !draft.conversation(conversation.id))
    applyConversationCreated(draft, conversation);
}

/** Later actions of a conversation go to the one that it turned out to be. */
function moveOperations(draft: Draft, from: string, to: string): void {
  for (const operation of draft.operations()) {
    const { action } = operation;
    if (laneOf(operation) !== from || !('conversation' in action) || action.kind === 'createConversation')
      continue;
    draft.putOperation({ ...operation, action: { ...action, conversation: to } });
  }
}

function confirmPatch(ctx: Context, draft: Draft, action: Extract<Action, { kind: 'patch' }>): void {
  const conversation = draft.conversation(action.conversation);
  if (!conversation) return;
  // Who was added is known by id only until the packet brings the name.
  const steps = action.steps.filter(({ property }) => property.startsWith('metadata'));
  const changed = steps.reduce<StoredConversation>(
    (one, step) => conversationAfter(draft, one, step as Step, ctx.me),
    conversation,
  );
  draft.putConversation(changed);
}

function confirmEdit(draft: Draft, action: Extract<Action, { kind: 'editParts' }>, answer: unknown): void {
  const { edit } = action;
  changeMessage(draft, action.message, (message) => {
    if (edit.kind === 'replaceAll') return { ...message, parts: answer as MessagePart[] };
    if (edit.kind === 'remove')
      return { ...message, parts: message.parts.filter(({ id }) => id !== edit.part) };
    const part = answer as MessagePart;
    const others = message.parts.filter(({ id }) => id !== part.id);
    if (edit.kind === 'add') return { ...message, parts: [...others, part] };
    return { ...message, parts: message.parts.map((one) => (one.id === part.id ? part : one)) };
  });
}

function confirmReceipt(
  { me }: Context,
  draft: Draft,
  action: Extract<Action, { kind: 'receipt' }>,
  hasNewerCount: boolean,
): void {
  const message = draft.message(action.message);
  const conversation = draft.conversation(action.conversation);
  if (!message) return;
  const status = action.type === 'read' ? 'read' : 'delivered';
  changeMessage(draft, message.id, (one) => withStatus(one, { reader: me, status, me }));
  if (!conversation || hasNewerCount || !message.is_unread || status !== 'read') return;
  const now = draft.conversation(conversation.id) ?? conversation;
  draft.putConversation({ ...now, unread_message_count: Math.max(0, now.unread_message_count - 1) });
}

function confirmAllRead(
  ctx: Context,
  draft: Draft,
  action: Extract<Action, { kind: 'markAllRead' }>,
  hasNewerCount: boolean,
): void {
  const { conversation: id, position } = action;
  const identity = { id: ctx.me, url: '', user_id: ctx.userId, display_name: null, avatar_url: null };
  const object = { type: 'Conversation', id };
  record(ctx, draft, { method: 'Conversation.mark_all_read', object, data: { position, identity } });
  const conversation = draft.conversation(id);
  if (!conversation || hasNewerCount) return;
  const later = draft.messagesOf(id).filter((one) => one.position > position && one.is_unread);
  draft.putConversation({ ...conversation, unread_message_count: later.length });
}
