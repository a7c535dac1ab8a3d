import { randomUUID } from 'node:crypto';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { draft, getConversation, listAll, receipt, sendAll, unreadCount, type Room } from './actions.ts';
import { react, shownReactions } from './reactions.ts';
import type { TestMessaging } from './service.ts';

/** The expected state of the service as plain sets. */
export type ModelMessage = {
  id: string;
  position: number;
  sender: string;
  low: boolean;
  deleted: boolean;
  read: Set<string>;
  delivered: Set<string>;
  hidden: Set<string>;
  text: string;
  /** Text that the owner of the block goes on reading, since an edit was withheld from them. */
  kept: string | undefined;
  /** Users who react, by key, in the order of their reactions. */
  reactions: Map<string, Set<string>>;
  /** Its sender alone sees it, and it counts for nobody. */
  shadowed: boolean;
};

/** `isBlocking`: whether the block holds now. */
export type Model = {
  room: Room;
  users: string[];
  messages: ModelMessage[];
  isBlocking: boolean;
  /** Whether `cat` is under a shadow restriction now. */
  isShadowing: boolean;
  steps: number;
};

/** `dan` blocks `bob`, and lifts the block again: what bob writes meanwhile is hidden from him. */
export const blocks = { owner: 'dan', blocked: 'bob' };

/** Whose messages are shadowed now and then. */
export const SHADOWED = 'cat';

export type Action =
  | { kind: 'shadow'; isOn: boolean }
  | { kind: 'block'; isOn: boolean }
  | { kind: 'edit'; back: number }
  | { kind: 'send'; user: string; low: boolean; times: number }
  | { kind: 'read' | 'delivery' | 'hide' | 'delete'; user: string; back: number }
  | { kind: 'react' | 'unreact'; user: string; back: number; key: string; replace: boolean }
  | { kind: 'read all' | 'deliver all'; user: string; back: number };

/** Applies an action to the service and to the model. */
export async function act(service: TestMessaging, model: Model, action: Action): Promise<void> {
  model.steps += 1;
  if (action.kind === 'send') return sendMany(service, model, action);
  if (action.kind === 'block') return setBlock(service, model, action.isOn);
  if (action.kind === 'shadow') return setShadow(service, model, action.isOn);
  const message = model.messages.at(-1 - (action.back % model.messages.length));
  if (!message) return;
  if (action.kind === 'edit') return edit(service, model, message);
  const { appId } = model.room;
  const { user } = action;
  const isSeen = isSeenBy(message, user);
  if (action.kind === 'react' || action.kind === 'unreact') return reacting(service, model, action, message);
  if (action.kind === 'deliver all') {
    await service.messaging.markAllDelivered({ ...model.room, userId: user, position: message.position });
    for (const one of model.messages)
      if (one.position <= message.position && isUnseen(one, user)) one.delivered.add(user);
  } else if (action.kind === 'read all') {
    await service.messaging.markAllRead({ ...model.room, userId: user, position: message.position });
    for (const one of model.messages)
      if (one.position <= message.position && isUnseen(one, user)) one.read.add(user);
  } else if (action.kind === 'read' || action.kind === 'delivery') {
    const outcome = await receipt(service, { appId, userId: user, messageId: message.id }, action.kind);
    expect(outcome).toBe(isSeen ? 'recorded' : 'not_found');
    if (isSeen) (action.kind === 'read' ? message.read : message.delivered).add(user);
  } else if (isSeen) {
    const mode = action.kind === 'hide' ? DeletionMode.MY_DEVICES : DeletionMode.ALL_PARTICIPANTS;
    await service.messaging.deleteMessage({ appId, id: message.id, userId: user, mode });
    if (action.kind === 'hide') message.hidden.add(user);
    else message.deleted = true;
  }
}

async function reacting(
  service: TestMessaging,
  { room: { appId }, isShadowing }: Model,
  { kind, user, key, replace }: Extract<Action, { kind: 'react' | 'unreact' }>,
  message: ModelMessage,
): Promise<void> {
  const isSeen = isSeenBy(message, user);
  const options = { remove: kind === 'unreact', replace };
  const outcome = await react(service, { appId, messageId: message.id }, user, key, options);
  expect(outcome).toBe(isSeen ? 'done' : 'not_found');
  if (!isSeen || message.shadowed || (isShadowing && user === SHADOWED)) return;
  const { reactions } = message;
  if (kind === 'unreact') takeBack(reactions, key, user);
  else {
    if (replace)
      for (const other of [...reactions.keys()]) if (other !== key) takeBack(reactions, other, user);
    reactions.set(key, (reactions.get(key) ?? new Set()).add(user));
  }
}

function takeBack(reactions: Map<string, Set<string>>, key: string, user: string): void {
  const users = reactions.get(key);
  users?.delete(user);
  if (users?.size === 0) reactions.delete(key);
}

function reactionsFor(model: Model, { reactions }: ModelMessage, user: string): string[] {
  const isBlocked = (other: string) => model.isBlocking && user === blocks.owner && other === blocks.blocked;
  return [...reactions].map(([key, users]) => {
    const recent = [...users]
      .toReversed()
      .slice(0, 3)
      .filter((other) => !isBlocked(other));
    return `${key} ${users.size} ${recent.join(',')}${users.has(user) ? ' own' : ''}`;
  });
}

export async function setBlock(service: TestMessaging, model: Model, isOn: boolean): Promise<void> {
  const blocked = [{ blockedUserId: blocks.blocked, blocked: isOn, version: model.steps }];
  const { appId } = model.room;
  await service.copies.applyBlocks({ appId, ownerUserId: blocks.owner, blocks: blocked });
  model.isBlocking = isOn;
}

export async function setShadow(service: TestMessaging, model: Model, isOn: boolean): Promise<void> {
  const target = { appId: model.room.appId, userId: SHADOWED };
  const policy = service.channel.client(PolicyService);
  if (isOn) await policy.putUserRestriction({ ...target, kind: 'shadow' });
  else await policy.deleteUserRestriction(target);
  model.isShadowing = isOn;
}

async function edit(service: TestMessaging, model: Model, message: ModelMessage): Promise<void> {
  if (message.deleted) return;
  const body = `edited in step ${model.steps}`;
  const parts = [{ id: randomUUID(), mimeType: 'text/plain', body }];
  const { appId } = model.room;
  await service.parts.editParts({
    appId,
    messageId: message.id,
    edit: { case: 'replaceAll', value: { parts } },
  });
  if (message.sender === blocks.blocked && model.isBlocking) message.kept ??= message.text;
  message.text = body;
}

function isSeenBy({ deleted, hidden, shadowed, sender }: ModelMessage, user: string): boolean {
  return !deleted && !hidden.has(user) && (!shadowed || sender === user);
}

function isUnseen({ read, hidden, deleted }: ModelMessage, user: string): boolean {
  return !read.has(user) && !hidden.has(user) && !deleted;
}

export async function sendMany(
  service: TestMessaging,
  { room, messages, isBlocking, isShadowing }: Model,
  { user, low, times }: { user: string; low: boolean; times: number },
): Promise<void> {
  const stored = await sendAll(
    service,
    Array.from({ length: times }, () => draft(room, user, { low })),
  );
  for (const { id, position } of stored) {
    const hidden = new Set(user === blocks.blocked && isBlocking ? [blocks.owner] : []);
    messages.push({
      id,
      position,
      sender: user,
      low,
      deleted: false,
      hidden,
      read: new Set([user]),
      delivered: new Set(),
      text: 'hello',
      kept: undefined,
      reactions: new Map(),
      shadowed: isShadowing && user === SHADOWED,
    });
  }
  messages.sort((a, b) => a.position - b.position);
}

/** Compares what each user sees: all counts, and the newest pages of their list. */
export async function compare(service: TestMessaging, model: Model, pages: number): Promise<void> {
  for (const user of model.users) {
    const visible = model.messages.filter((one) => isSeenBy(one, user));
    const counted = visible.filter(({ shadowed }) => !shadowed);
    const unread = counted.filter((one) => !one.read.has(user) && !one.low).length;
    const list = await listAll(service, model.room, user, pages);
    const shown = visible.toReversed().slice(0, pages * 100);
    const expected = shown.map((one) => ({
      position: one.position,
      isUnread: !one.read.has(user),
      statuses: statusesOf(model, one),
      text: textFor(one, user),
      reactions: reactionsFor(model, one, user),
    }));
    const found = list.messages.map(({ message, statuses }) => ({
      position: message.position,
      isUnread: message.isUnread,
      statuses,
      text: textOf(message),
      reactions: shownReactions(message),
    }));
    expect(found).toEqual(expected);
    expect([user, list.total]).toEqual([user, counted.length]);
    expect([user, await unreadCount(service, model.room, user)]).toEqual([user, unread]);
    const { userView } = await getConversation(service, model.room, user);
    expect(userView).toMatchObject({ unreadMessageCount: unread, totalMessageCount: counted.length });
    const last = visible.at(-1);
    expect(userView?.lastMessage?.id).toBe(last?.id);
    if (last) expect(textOf(userView!.lastMessage!)).toBe(textFor(last, user));
  }
}

function textFor({ text, kept }: ModelMessage, user: string): string {
  return user === blocks.owner ? (kept ?? text) : text;
}

function textOf({ parts }: Message): string {
  return parts.map(({ body }) => body).join(' ');
}

function statusesOf(
  { users }: Model,
  { read, delivered, shadowed, sender }: ModelMessage,
): Record<string, string> {
  const statusOf = (user: string): string =>
    shadowed && user !== sender
      ? 'sent'
      : read.has(user)
        ? 'read'
        : delivered.has(user)
          ? 'delivered'
          : 'sent';
  return Object.fromEntries(users.map((user) => [user, statusOf(user)]));
}
