import { listedAt, newestShownAt, present, visibleMessages, isListed } from './model.ts';
import type { Model, ModelConversation, ModelMessage, ReplayedChange, Standing } from './model.ts';

export const users = ['ann', 'bob', 'cat', 'dan'];

/** `conversation` and `message` are indexes, taken modulo the number of existing ones. */
export type Command =
  | { kind: 'create'; user: string; others: string[]; distinct: boolean }
  | { kind: 'send'; user: string; conversation: number }
  | {
      kind: 'patch';
      user: string;
      conversation: number;
      add: string[];
      remove: string[];
      key: string;
      history: 'all' | 'none';
    }
  | { kind: 'show'; conversation: number; user: string }
  | { kind: 'delete'; user: string; conversation: number; forAll: boolean; leave: boolean }
  | { kind: 'deleteMessage'; user: string; conversation: number; message: number; forAll: boolean }
  | { kind: 'edit'; user: string; conversation: number; message: number }
  | { kind: 'wait'; ms: number };

/** The expected answer of the service; ids are those that the service is asked to use. */
export function apply(model: Model, command: Command, id: string): string {
  if (command.kind === 'wait') {
    model.now += command.ms;
    return 'success';
  }
  if (command.kind === 'create') return create(model, command, id);
  const conversation = model.conversations[command.conversation % model.conversations.length];
  if (!conversation) return 'nothing to do';
  if (command.kind === 'show') return show(model, conversation, command.user);
  const standing = conversation.standings.get(command.user);
  if (command.kind === 'delete') return remove(model, { command, conversation, standing });
  if (!standing || conversation.deleted) return 'not_found';
  if (command.kind === 'deleteMessage') return deleteMessage(model, { command, conversation, standing });
  if (command.kind === 'edit') return edit(model, { command, conversation, standing, text: id });
  if (!standing.present) return 'access_denied';
  if (command.kind === 'send') return send(model, conversation, { user: command.user, id });
  if (!isListed(conversation, command.user)) return 'not_found';
  return patch(model, command, conversation);
}

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

function create(model: Model, { user, others, distinct }: Of<'create'>, id: string): string {
  const members = [...new Set([user, ...others])];
  const known = distinct && model.conversations.find((one) => one.distinct && isOf(one, members));
  if (known) {
    if (!isListed(known, user)) tell(model, known, new Map([[user, 'conversationCreated']]));
    known.standings.get(user)!.unlistedAt = undefined;
    return 'success';
  }
  const conversation: ModelConversation = {
    id,
    createdAt: model.now,
    metadata: {},
    distinct,
    deleted: false,
    messages: [],
    standings: new Map(),
    seq: 0,
  };
  model.conversations.push(conversation);
  for (const member of members) join(conversation, member);
  tell(model, conversation, new Map(members.map((member) => [member, 'conversationCreated'])));
  return 'success';
}

function isOf(conversation: ModelConversation, members: string[]): boolean {
  const there = present(conversation);
  return (
    !conversation.deleted && there.length === members.length && members.every((one) => there.includes(one))
  );
}

function join(conversation: ModelConversation, user: string, history: 'all' | 'none' = 'all'): void {
  const before = conversation.standings.get(user);
  const missed = conversation.messages.map(({ position }) => position);
  const unseen = new Set(before?.unseen);
  if (history === 'none') for (const at of missed) if (at > (before?.leftHead ?? 0)) unseen.add(at);
  const period = { first: conversation.messages.length + 1, last: Infinity };
  conversation.standings.set(user, {
    leftHead: 0,
    leftMessageAt: 0,
    leftSeq: 0,
    leftMetadata: {},
    hiddenUntil: before?.hiddenUntil ?? 0,
    hidden: before?.hidden ?? new Set(),
    unseen,
    place: before?.place,
    periods: [...(before?.periods ?? []), period],
    present: true,
    unlistedAt: undefined,
  });
  const head = conversation.messages.length;
  if (history === 'none' && unseen.has(head))
    conversation.standings.get(user)!.place = { until: head, at: newestShownAt(conversation, user) };
}

/** A server shows a user the whole history. */
function show(model: Model, conversation: ModelConversation, user: string): string {
  if (conversation.deleted) return 'object_deleted';
  const standing = conversation.standings.get(user);
  if (!standing) return 'invalid_property: history';
  if (standing.unseen.size === 0) return 'success';
  standing.unseen.clear();
  const { place } = standing;
  if (place && place.until >= conversation.messages.length) place.at = newestShownAt(conversation, user);
  tell(model, conversation, new Map([[user, 'conversationCreated']]));
  return 'success';
}

function leave(conversation: ModelConversation, user: string, metadata = conversation.metadata): void {
  const standing = conversation.standings.get(user)!;
  standing.leftMetadata = metadata;
  // The change that removes them comes after it.
  standing.leftSeq = conversation.seq;
  const head = conversation.messages.length;
  standing.present = false;
  standing.leftHead = head;
  standing.leftMessageAt = listedAt(conversation, user);
  standing.periods.at(-1)!.last = head;
}

function tell(
  model: Model,
  conversation: ModelConversation,
  kinds: Map<string, string>,
  rest: Pick<ReplayedChange, 'message' | 'removed'> = {},
): void {
  conversation.seq += 1;
  model.log.push({ conversation, seq: conversation.seq, at: model.now, kinds, ...rest });
}

function tellPresent(
  model: Model,
  conversation: ModelConversation,
  kind: string,
  message?: ModelMessage,
): void {
  const kinds = new Map(present(conversation).map((user) => [user, kind]));
  tell(model, conversation, kinds, message && { message });
}

function send(
  model: Model,
  conversation: ModelConversation,
  { user, id }: { user: string; id: string },
): string {
  const position = conversation.messages.length + 1;
  const message = {
    id,
    position,
    sender: user,
    sentAt: model.now,
    deleted: false,
    texts: [] as ModelMessage['texts'],
  };
  conversation.messages.push(message);
  tellPresent(model, conversation, 'messageCreated', message);
  message.texts.push({ since: conversation.seq, text: 'hello' });
  return 'success';
}

function patch(
  model: Model,
  { add, remove, key, history }: Of<'patch'>,
  conversation: ModelConversation,
): string {
  const before = present(conversation);
  const after = [...new Set([...before, ...add])].filter((user) => !remove.includes(user));
  const added = after.filter((user) => !before.includes(user));
  const removed = before.filter((user) => !after.includes(user));
  const { metadata } = conversation;
  const changesMetadata = key !== '' && conversation.metadata[key] !== 'x';
  if (added.length + removed.length === 0 && !changesMetadata) return 'success';
  if (changesMetadata) conversation.metadata = { ...conversation.metadata, [key]: 'x' };
  if (added.length + removed.length > 0) conversation.distinct = false;
  for (const user of added) join(conversation, user, history);
  for (const user of removed) leave(conversation, user, metadata);
  const kinds = new Map([...before, ...added].map((user) => [user, 'conversationUpdated']));
  for (const user of added) kinds.set(user, 'conversationCreated');
  tell(model, conversation, kinds, { removed });
  return 'success';
}

type Removal = { command: Of<'delete'>; conversation: ModelConversation; standing: Standing | undefined };

function remove(model: Model, { command, conversation, standing }: Removal): string {
  if (!standing) return 'not_found';
  if (conversation.deleted) return 'success';
  if (command.forAll) {
    if (!standing.present) return 'access_denied';
    tellPresent(model, conversation, 'conversationDeleted');
    conversation.deleted = true;
    return 'success';
  }
  const limit = standing.present ? conversation.messages.length : standing.leftHead;
  const leaves = command.leave && standing.present;
  if (standing.unlistedAt !== undefined && standing.unlistedAt >= limit && !leaves) return 'success';
  standing.hiddenUntil = limit;
  standing.unlistedAt = limit;
  tell(model, conversation, new Map([[command.user, 'conversationHidden']]));
  if (!leaves) return 'success';
  leave(conversation, command.user);
  conversation.distinct = false;
  tellPresent(model, conversation, 'conversationUpdated');
  return 'success';
}

type MessageEdit = {
  command: Of<'edit'>;
  conversation: ModelConversation;
  standing: Standing;
  text: string;
};

/** The message that a command edits, if it is one of the user's own. */
export function messageToEdit(
  conversation: ModelConversation,
  { user, message }: Of<'edit'>,
): ModelMessage | undefined {
  const own = visibleMessages(conversation, user).filter(({ sender }) => sender === user);
  return own[message % own.length];
}

function edit(model: Model, { command, conversation, standing, text }: MessageEdit): string {
  const message = messageToEdit(conversation, command);
  if (!message) return 'nothing to do';
  if (!standing.present) return 'permission_denied';
  // A user who hid the message is not sent the edit.
  const kinds = present(conversation).filter((user) => visibleMessages(conversation, user).includes(message));
  const changes = new Map(kinds.map((user) => [user, 'messagePartsChanged']));
  tell(model, conversation, changes, { message });
  message.texts.push({ since: conversation.seq, text });
  return 'success';
}

type MessageDeletion = { command: Of<'deleteMessage'>; conversation: ModelConversation; standing: Standing };

function deleteMessage(model: Model, { command, conversation, standing }: MessageDeletion): string {
  const visible = visibleMessages(conversation, command.user);
  const message = visible[command.message % visible.length];
  if (!message || !standing.present) return 'nothing to do';
  if (command.forAll) {
    message.deleted = true;
    movePlaces(conversation, message);
    const seers = present(conversation).filter((user) => {
      const { hidden, unseen } = conversation.standings.get(user)!;
      return !hidden.has(message.position) && !unseen.has(message.position);
    });
    tell(model, conversation, new Map(seers.map((user) => [user, 'messageDeleted'])));
  } else {
    standing.hidden.add(message.position);
    tell(model, conversation, new Map([[command.user, 'messageHidden']]));
  }
  return 'success';
}

function movePlaces(conversation: ModelConversation, { position, sentAt }: ModelMessage): void {
  const { messages, standings } = conversation;
  const newest = messages.findLast(({ deleted }) => !deleted)?.position ?? 0;
  for (const [user, { place, hidden, unseen }] of standings) {
    if (!place || place.until < newest) continue;
    const showed = !hidden.has(position) && !unseen.has(position);
    if (showed && place.at <= sentAt) place.at = newestShownAt(conversation, user);
    place.until = messages.length;
  }
}
