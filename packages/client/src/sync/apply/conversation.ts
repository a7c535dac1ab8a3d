import type { Frozen, OwnRestriction, BasicIdentity, Conversation } from '@parley/contract/gen/records';
import type { WriteBatch } from '../../records/write-batch.ts';
import {
  storedConversation,
  type Deletion,
  type Step,
  type StoredConversation,
} from '../../records/records.ts';
import type { Role } from '../../records/policy.ts';
import { activeBy } from './message.ts';
import { keysOf, withValueAt } from '../../records/paths.ts';

/**
 * A whole conversation: it is new for the user, they take part again, or a replay repeats it. What happened while they took
 * no part did not reach this device, so the window has to be read again.
 */
export function applyConversationCreated(batch: WriteBatch, conversation: Conversation): void {
  const before = batch.conversation(conversation.id);
  const { last_message: last, total_message_count: total } = conversation;
  const known = before?.window;
  const fresh = { from: last?.position ?? 1, start: (total ?? 0) <= 1, stale: false };
  const window = known ? { ...known, stale: true } : fresh;
  batch.putConversation({ ...storedConversation(conversation, before), window });
  if (last && last.position >= window.from) batch.putMessage(last);
}

/** A conversation is gone, or the messages of it that the user has hidden. */
export function applyConversationDeleted(
  batch: WriteBatch,
  id: string,
  { from_position: until }: Deletion,
): void {
  const conversation = batch.conversation(id);
  if (!conversation) return;
  const last = conversation.last_message?.position ?? 0;
  if (until === null || until === undefined || last <= until) {
    batch.removeConversation(id);
    return;
  }
  // It came back: a replay repeats its end.
  batch.removeMessagesBelow(id, until + 1);
  const from = Math.max(conversation.window?.from ?? 0, until + 1);
  batch.putConversation({
    ...conversation,
    window: { from, start: true, stale: conversation.window?.stale ?? false },
  });
}

/** The steps of an `update Conversation`. Of one that is not listed the user sees nothing. */
export function applyConversationUpdated(
  batch: WriteBatch,
  id: string,
  steps: readonly Step[],
  me: string,
): void {
  const conversation = batch.conversation(id);
  if (!conversation) return;
  const changed = steps.reduce((one, step) => conversationAfter(batch, one, step, me), conversation);
  batch.putConversation(changed);
}

export function conversationAfter(
  batch: WriteBatch,
  conversation: StoredConversation,
  step: Step,
  me: string,
): StoredConversation {
  const { property, value } = step;
  if (property === 'unread_message_count') return { ...conversation, unread_message_count: Number(value) };
  if (property === 'distinct') return { ...conversation, distinct: Boolean(value) };
  if (property === 'last_message') return withLastMessage(batch, conversation, step.id ?? null);
  if (property === 'participants') return withParticipants(conversation, step, me);
  if (property === 'frozen') return withFrozen(conversation, step);
  if (property === 'slow_mode_in_seconds') return withSlowMode(conversation, Number(value));
  if (property === 'restriction') return withRestriction(conversation, step);
  const [root, ...keys] = keysOf(property);
  if (root === 'roles') return withRole(conversation, keys[0] ?? '', step);
  if (root !== 'metadata') return conversation;
  const deleted = keys.length === 0 ? {} : undefined;
  const metadata = withValueAt(conversation.metadata, keys, step.operation === 'delete' ? deleted : value);
  return { ...conversation, metadata };
}

/** Drops the permissions of before a change: they are computed anew, from the types. */
function withoutPermissions(conversation: StoredConversation): StoredConversation {
  const { permissions: _, ...rest } = conversation;
  return rest;
}

function withFrozen(conversation: StoredConversation, { operation, value }: Step): StoredConversation {
  const { frozen: _, ...rest } = withoutPermissions(conversation);
  return operation === 'delete' ? rest : { ...rest, frozen: value as Frozen };
}

function withSlowMode(conversation: StoredConversation, seconds: number): StoredConversation {
  const { slow_mode_in_seconds: _, ...rest } = conversation;
  return seconds > 0 ? { ...rest, slow_mode_in_seconds: seconds } : rest;
}

function withRestriction(conversation: StoredConversation, { operation, value }: Step): StoredConversation {
  const { restriction: _, ...rest } = withoutPermissions(conversation);
  return operation === 'delete' ? rest : { ...rest, restriction: value as OwnRestriction };
}

function withRole(
  conversation: StoredConversation,
  id: string,
  { operation, value }: Step,
): StoredConversation {
  const { roles: before, ...rest } = withoutPermissions(conversation);
  const { [id]: _, ...others } = before ?? {};
  const isMember = operation !== 'set' || value === 'member';
  const roles = isMember ? others : { ...others, [id]: value as Role };
  return Object.keys(roles).length > 0 ? { ...rest, roles } : rest;
}

/** A change of the participants ends that the conversation is distinct, which a user who was removed is not sent. */
function withParticipants(conversation: StoredConversation, step: Step, me: string): StoredConversation {
  const participants = participantsAfter(conversation.participants, step, me);
  // A role ends with the participation.
  const left = step.operation === 'remove' ? withRole(conversation, step.id ?? '', step) : conversation;
  return { ...left, participants, distinct: false };
}

function participantsAfter(
  participants: readonly BasicIdentity[],
  { operation, id, value }: Step,
  me: string,
): BasicIdentity[] {
  if (operation === 'remove') return id === me ? [] : participants.filter((one) => one.id !== id);
  const others = participants.filter((one) => one.id !== id);
  return operation === 'add' ? [...others, value as BasicIdentity] : [...participants];
}

function withLastMessage(
  batch: WriteBatch,
  conversation: StoredConversation,
  id: string | null,
): StoredConversation {
  if (id === null) return { ...conversation, last_message: null, last_message_id: null };
  const { last_message: last } = conversation;
  const found = last?.id === id ? last : batch.message(id);
  if (!found) {
    batch.toRefetch.set(id, conversation.id);
    return { ...conversation, last_message_id: id };
  }
  return {
    ...conversation,
    last_message: found,
    last_message_id: id,
    counted_to: Math.max(conversation.counted_to, found.position),
    ...activeBy(conversation, found),
  };
}
