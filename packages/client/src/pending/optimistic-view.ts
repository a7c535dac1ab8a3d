import type { BasicIdentity, MessagePart, PartInput } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import { withValueAt, keysOf } from '../records/paths.ts';
import { valueOf, type Records } from '../records/in-memory.ts';
import type { Context } from '../sync/context.ts';
import { SELF } from '../records/rows.ts';
import { identityUri, type Message, type Step, type StoredConversation } from '../records/records.ts';
import { laneOf, type Action, type Operation, type PartsEdit } from '../records/operation.ts';
import { withOwnReaction, type OwnReaction } from '../records/reactions.ts';
import { messageAfter } from '../sync/apply/message.ts';
import { unreadShown } from './unread.ts';

/** Operations by lane, each lane in order. */
export type Lanes = ReadonlyMap<string, readonly Operation[]>;

export function lanesOf(records: Records): Lanes {
  const sorted = [...records.operations.values()].sort((one, other) => one.order - other.order);
  return Map.groupBy(sorted, laneOf);
}

/** A record with the user's unconfirmed actions applied. */
export type Shown<T> = {
  readonly record: T;
  readonly state: 'sending' | 'sent' | 'failed';
  readonly error: ParleyError | undefined;
  /** The operation that creates the record, until it is confirmed. */
  readonly operation: Operation | undefined;
};

type Viewer = { readonly me: string; readonly wire: string; readonly self: BasicIdentity };

/** The client's user, as described by the last connection. */
export function viewerOf({ me, wire, records }: Pick<Context, 'me' | 'wire' | 'records'>): Viewer {
  return { me, wire, self: valueOf(records, SELF) ?? placeholder(me, { wire }) };
}

const NONE: readonly Operation[] = [];

/** A message with its pending operations applied; undefined if the user deleted it. */
export function messageShown(
  message: Message,
  lane: readonly Operation[] = NONE,
  { me }: Viewer,
): Message | undefined {
  let shown: Message = message;
  for (const { action, error } of lane) {
    if (error) continue;
    const isIts = 'message' in action && action.message === message.id;
    if (isIts && action.kind === 'deleteMessage') return undefined;
    if (isIts && action.kind === 'editParts')
      shown = withEdit(shown, action.edit, pendingParts(message.id, action.edit));
    if (isIts) shown = withOwnAction(shown, action, me);
    const isRead =
      action.kind === 'markAllRead'
        ? message.position <= action.position
        : isIts && action.kind === 'receipt' && action.type === 'read';
    if (isRead && shown.is_unread)
      shown = { ...shown, is_unread: false, recipient_status: { ...shown.recipient_status, [me]: 'read' } };
  }
  return shown;
}

/** A message with what the user does to its metadata or to their reactions; as it is for other actions. */
export function withOwnAction(message: Message, action: Action, me: string): Message {
  const { kind } = action;
  if (kind === 'patchMessage') return messageAfter(message, action.steps, me);
  return kind === 'react' || kind === 'unreact'
    ? withOwnReaction(message, ownReactionOf(action), me)
    : message;
}

export function ownReactionOf(action: Extract<Action, { kind: 'react' | 'unreact' }>): OwnReaction {
  const { kind, key } = action;
  return { key, isGiven: kind === 'react', replace: kind === 'react' && action.replace === true };
}

/** A message with an edit of its parts. `made`: the parts that the edit makes, as they wait or as the platform has answered. */
export function withEdit(message: Message, edit: PartsEdit, made: readonly MessagePart[]): Message {
  const { parts } = message;
  const others = parts.filter(({ id }) => id !== (edit.kind === 'remove' ? edit.part : made[0]?.id));
  if (edit.kind === 'replaceAll') return { ...message, parts: [...made] };
  if (edit.kind !== 'replace') return { ...message, parts: [...others, ...made] };
  return { ...message, parts: parts.map((part) => made.find(({ id }) => id === part.id) ?? part) };
}

function pendingParts(message: string, edit: PartsEdit): MessagePart[] {
  if (edit.kind === 'add') return [pendingPart(message, edit.part)];
  if (edit.kind === 'replaceAll') return edit.parts.map((part) => pendingPart(message, part));
  return edit.kind === 'replace' ? [{ ...pendingPart(message, edit.by), id: edit.part }] : [];
}

/** Every property that any kind of part has. */
type AnyPartInput = PartInput & { readonly encoding?: 'base64' | null };

/** A part that the platform does not know yet. */
export function pendingPart(
  message: string,
  { id, mime_type, body, content, encoding, filename }: AnyPartInput,
): MessagePart {
  return {
    // eslint-disable-next-line no-restricted-syntax -- a URI
    id: id?.includes('/') ? id : `${message}/parts/${id ?? ''}`,
    url: '',
    message_url: '',
    mime_type,
    body: body ?? null,
    encoding: encoding ?? null,
    content: content
      ? {
          id: content.id,
          size: content.size ?? 0,
          download_url: null,
          expiration: null,
          refresh_url: '',
          upload_url: null,
        }
      : null,
    updated_at: null,
    ...(filename && { filename }),
  };
}

/** Messages that are being sent, or were refused, in the order in which they were written. */
export function pendingMessages(
  records: Records,
  lane: readonly Operation[] = NONE,
  { me, self }: Viewer,
): Shown<Message>[] {
  return lane.flatMap((operation) => {
    const { action, error } = operation;
    if (action.kind !== 'send' || records.messages.has(action.message)) return [];
    const record: Message = {
      id: action.message,
      url: '',
      receipts_url: null,
      position: 0,
      conversation: { id: action.conversation, url: '' },
      parts: action.parts.map((part) => pendingPart(action.message, part)),
      sent_at: '',
      received_at: null,
      sender: self,
      is_unread: false,
      recipient_status: { [me]: 'read' },
      updated_at: null,
      ...(action.metadata && { metadata: action.metadata }),
    };
    const shown = error ? new ParleyError(error) : undefined;
    return [{ record, state: shown ? ('failed' as const) : ('sending' as const), error: shown, operation }];
  });
}

/** A conversation with its pending operations applied; undefined if the user deleted it, or it does not exist here. */
export function conversationShown(
  records: Records,
  id: string,
  lane: readonly Operation[] = NONE,
  viewer: Viewer,
): Shown<StoredConversation> | undefined {
  const confirmed = records.conversations.get(id);
  const creation = lane.find(({ action }) => action.kind === 'createConversation');
  let record = confirmed ?? (creation && pendingConversation(creation, viewer));
  if (!record) return undefined;
  for (const { action, error } of lane) {
    if (error || !record) continue;
    record = conversationWith(record, action, viewer);
  }
  if (!record) return undefined;
  // As on the platform; a replay does not tell this to a user who was removed.
  const unread_message_count = record.participants.length > 0 ? unreadShown(records, record, lane) : 0;
  if (unread_message_count !== record.unread_message_count) record = { ...record, unread_message_count };
  const error = !confirmed && creation?.error ? new ParleyError(creation.error) : undefined;
  const state = confirmed ? 'sent' : error ? 'failed' : 'sending';
  return { record, state, error, operation: confirmed ? undefined : creation };
}

function pendingConversation({ action }: Operation, viewer: Viewer): StoredConversation | undefined {
  if (action.kind !== 'createConversation') return undefined;
  const others = action.participants
    .map((user) => placeholder(user, viewer))
    .filter(({ id }) => id !== viewer.me);
  return {
    id: action.conversation,
    url: '',
    messages_url: '',
    created_at: '',
    participants: [viewer.self, ...others],
    distinct: action.distinct,
    metadata: action.metadata,
    ...(action.type !== undefined && { type: action.type }),
    last_message: null,
    unread_message_count: 0,
    total_message_count: 0,
    last_message_id: null,
    counted_to: 0,
    active_at: '',
    active_id: null,
    window: { from: 1, start: true, stale: false },
  };
}

/** A user of whom only the id is known. */
export function placeholder(user: string, { wire }: { wire: string }): BasicIdentity {
  const start = `${wire}:///identities/`;
  const isUri = user.startsWith(start);
  const user_id = isUri ? decodeURIComponent(user.slice(start.length)) : user;
  const id = isUri ? user : identityUri(wire, user);
  return { id, url: '', user_id, display_name: null, avatar_url: null };
}

/** A conversation with an action applied, except for its unread count; undefined if it is deleted. */
export function conversationWith(
  record: StoredConversation,
  action: Action,
  viewer: Pick<Viewer, 'me' | 'wire'>,
): StoredConversation | undefined {
  if (action.kind === 'deleteConversation') return undefined;
  if (action.kind !== 'patch') return record;
  return action.steps.reduce((one, step) => withStep(one, step, viewer), record);
}

function withStep(
  record: StoredConversation,
  step: Step,
  viewer: Pick<Viewer, 'me' | 'wire'>,
): StoredConversation {
  const { property, operation, value } = step;
  if (property === 'participants') {
    const participants = participantsWith(record, step, viewer);
    return participants === record.participants ? record : { ...record, participants, distinct: false };
  }
  const [root, ...keys] = keysOf(property);
  // Roles, freezing and slow mode are shown when the platform has decided.
  if (root !== 'metadata') return record;
  const deleted = keys.length === 0 ? {} : undefined;
  return {
    ...record,
    metadata: withValueAt(record.metadata, keys, operation === 'delete' ? deleted : value),
  };
}

function participantsWith(
  { participants }: StoredConversation,
  step: Step,
  viewer: Pick<Viewer, 'me' | 'wire'>,
): BasicIdentity[] {
  const named = (user: string): BasicIdentity => {
    const identity = placeholder(user, viewer);
    return participants.find(({ id }) => id === identity.id) ?? identity;
  };
  if (step.operation === 'set') return (step.value as string[]).map(named);
  const one = named(step.id ?? '');
  const others = participants.filter(({ id }) => id !== one.id);
  const isThere = others.length < participants.length;
  if (isThere === (step.operation === 'add')) return participants;
  if (step.operation === 'add') return [...participants, one];
  return one.id === viewer.me ? [] : others;
}
