import fc from 'fast-check';
import { textPart, uuidOf, type TestUser } from '../../../support/app.ts';
import type { Device } from './device.ts';
import { addMessage, deleteMessage, hide, join, leave, react, setMetadata, setStatus } from './changes.ts';
import { awaitBlock } from './blocking.ts';
import {
  createPolicy,
  isBanned,
  isForbidden,
  isOutranked,
  isPolicyKind,
  rule,
  type PolicyKind,
} from './policy.ts';
import {
  blocksOf,
  isListed,
  isUnread,
  presentIn,
  visibleTo,
  type Conversation,
  type World,
} from './world.ts';

export type Kind =
  | 'create'
  | 'send'
  | 'read'
  | 'delivery'
  | 'mark all read'
  | 'mark all delivered'
  | 'hide message'
  | 'delete message'
  | 'react'
  | 'unreact'
  | 'hide conversation'
  | 'leave'
  | 'delete conversation'
  | 'set metadata'
  | 'add'
  | 'remove'
  | PolicyKind
  | 'block'
  | 'unblock'
  | 'disconnect'
  | 'connect';

/** The numbers select existing objects, modulo their count. */
export type Operation = { kind: Kind; user: number; conversation: number; message: number; other: number };

const weights: Record<Kind, number> = {
  create: 2,
  send: 30,
  read: 14,
  delivery: 10,
  'mark all read': 5,
  'mark all delivered': 5,
  'hide message': 5,
  'delete message': 4,
  react: 10,
  unreact: 4,
  'hide conversation': 3,
  leave: 2,
  'delete conversation': 1,
  'set metadata': 4,
  add: 6,
  remove: 3,
  restrict: 3,
  freeze: 2,
  'give role': 3,
  shadow: 3,
  block: 2,
  unblock: 2,
  disconnect: 5,
  connect: 6,
};

const index = fc.nat(1_000_000);

export function operations(count: number): fc.Arbitrary<Operation[]> {
  return fc.array(
    fc.record({
      kind: fc.oneof(
        ...Object.entries(weights).map(([kind, weight]) => ({
          arbitrary: fc.constant(kind as Kind),
          weight,
        })),
      ),
      user: index,
      conversation: index,
      message: index,
      other: index,
    }),
    { minLength: count, maxLength: count },
  );
}

export type Cast = { world: World; people: Map<string, TestUser>; devices: Map<string, Device> };

const MAX_CONVERSATIONS = 5;

/** Applies an operation to the platform and to the model; the platform must refuse what the model refuses. */
export async function perform(cast: Cast, operation: Operation): Promise<void> {
  const { world, people, devices } = cast;
  const name = pick(world.users, operation.user) ?? '';
  const user = people.get(name);
  const device = devices.get(name);
  if (!user || !device) return;
  if (operation.kind === 'disconnect') return device.isConnected ? device.disconnect() : undefined;
  if (operation.kind === 'connect') return device.isConnected ? undefined : device.connect();
  const second = pick(world.users, operation.other) ?? '';
  if (operation.kind === 'block' || operation.kind === 'unblock') {
    return block(cast, { owner: user, blocked: people.get(second)!, isOn: operation.kind === 'block' });
  }
  const conversation = conversationOf(world, operation);
  if (operation.kind === 'create' || !conversation) return create(cast, name, operation);
  const { kind } = operation;
  if (isPolicyKind(kind)) return rule(world, { kind, conversation, user, other: operation.other });
  await act(world, { user, conversation, second }, operation);
}

/** The conversation that an operation concerns, if it concerns an existing one. */
export function conversationOf(world: World, operation: Operation): Conversation | undefined {
  return pick(world.conversations, operation.conversation);
}

async function block(
  { world }: Cast,
  { owner, blocked, isOn }: { owner: TestUser; blocked: TestUser; isOn: boolean },
): Promise<void> {
  if (owner === blocked || blocksOf(world, owner.id).has(blocked.id) === isOn) return;
  await owner.call(isOn ? 'PUT' : 'DELETE', `/blocks/${encodeURIComponent(blocked.id)}`, 204);
  await awaitBlock(owner, blocked, isOn);
  if (isOn) blocksOf(world, owner.id).add(blocked.id);
  else blocksOf(world, owner.id).delete(blocked.id);
}

function pick<T>(items: readonly T[], at: number): T | undefined {
  return items[at % Math.max(1, items.length)];
}

async function create({ world, people }: Cast, name: string, { message, other }: Operation): Promise<void> {
  if (world.conversations.length >= MAX_CONVERSATIONS) return;
  const others = world.users.filter((one, n) => one !== name && ((message + other) >> n) % 2 === 0);
  const isRefused = others.some((one) => blocksOf(world, one).has(name));
  const { body } = await people
    .get(name)!
    .call('POST', '/conversations', isRefused ? 422 : 201, { body: { participants: others } });
  if (isRefused) return;
  const conversation: Conversation = {
    id: body.id,
    deleted: false,
    metadata: {},
    messages: [],
    standings: new Map(),
    clock: 0,
    policy: createPolicy(),
  };
  for (const user of [name, ...others]) join(conversation, user);
  world.conversations.push(conversation);
}

type Scene = { user: TestUser; conversation: Conversation; second: string };

async function act(
  world: World,
  { user, conversation, second }: Scene,
  { kind, message, other }: Operation,
): Promise<void> {
  const path = `/conversations/${uuidOf(conversation.id)}`;
  const standing = conversation.standings.get(user.id);
  const isGone = !standing || conversation.deleted;
  if (kind === 'send') {
    const mayNot = !standing?.present || isForbidden(conversation, user.id, 'send');
    const expected = isGone ? 404 : mayNot ? 403 : 201;
    const { body } = await user.call('POST', `${path}/messages`, expected, {
      body: { parts: [textPart('x')] },
    });
    if (expected === 201) addMessage(world, conversation, { ...body, sender: user.id });
    return;
  }
  if (isGone) return void (await user.call('GET', path, 404));
  if (kind === 'hide conversation' || kind === 'leave') {
    const leaves = kind === 'leave';
    await user.call('DELETE', `${path}?mode=my_devices&leave=${leaves}`, 204);
    return hide(conversation, user.id, leaves);
  }
  if (kind === 'delete conversation') {
    // Most conversations are kept.
    if (other % 3 > 0) return;
    const mayDelete = standing.present && !isForbidden(conversation, user.id, 'delete');
    await user.call('DELETE', `${path}?mode=all_participants`, mayDelete ? 204 : 403);
    conversation.deleted ||= mayDelete;
    return;
  }
  if (kind === 'set metadata' || kind === 'add' || kind === 'remove') {
    const value = String(message);
    const status = standing.present ? answerTo(world, { user, conversation, second }, { kind, value }) : 403;
    await user.call('PATCH', path, status, { body: [stepOf(kind, second, value)] });
    const reachesNobody = kind === 'set metadata' || (kind === 'remove' && second !== user.id);
    if (status !== 204 || (reachesNobody && world.shadowed.has(user.id))) return;
    return patch(conversation, kind, { second, blocked: blocksOf(world, second), value });
  }
  await actOnMessage(world, { user, conversation, second }, { kind, message, other, path });
}

type Patching = { kind: 'set metadata' | 'add' | 'remove'; value: string };

/** The answer to a patch of a participant. One without effect needs no permission, and leaving does not either. */
function answerTo(world: World, { user, conversation, second }: Scene, { kind, value }: Patching): number {
  if (!isListed(conversation, user.id)) return 404;
  const isThere = presentIn(conversation).includes(second);
  if (kind === 'set metadata') {
    const isSame = conversation.metadata['key'] === value;
    return !isSame && isForbidden(conversation, user.id, 'patch') ? 403 : 204;
  }
  if (isThere === (kind === 'add')) return 204;
  if (kind === 'remove') {
    const mayNot = isForbidden(conversation, user.id, 'remove') || isOutranked(conversation, user.id, second);
    return second !== user.id && mayNot ? 403 : 204;
  }
  if (isForbidden(conversation, user.id, 'add')) return 403;
  return isBanned(conversation, second) || blocksOf(world, second).has(user.id) ? 422 : 204;
}

function stepOf(kind: 'set metadata' | 'add' | 'remove', second: string, value: string) {
  return kind === 'set metadata'
    ? { operation: 'set', property: 'metadata.key', value }
    : { operation: kind, property: 'participants', id: second };
}

function patch(
  conversation: Conversation,
  kind: Kind,
  { second, blocked, value }: { second: string; blocked: ReadonlySet<string>; value: string },
): void {
  const isThere = presentIn(conversation).includes(second);
  if (kind === 'set metadata') setMetadata(conversation, value);
  if (kind === 'add' && !isThere) join(conversation, second, blocked);
  if (kind === 'remove' && isThere) leave(conversation, second);
}

type MessageAction = { kind: Kind; message: number; other: number; path: string };

const KEYS = ['👍', 'a.b', 'toString'];

async function actOnMessage(
  { shadowed }: World,
  { user, conversation }: Scene,
  { kind, message: at, other, path }: MessageAction,
): Promise<void> {
  const standing = conversation.standings.get(user.id)!;
  const visible = visibleTo(conversation, user.id);
  const message = pick(visible.slice(-12), at);
  if (!message) return;
  const address = `/messages/${uuidOf(message.id)}`;
  if (kind === 'mark all read' || kind === 'mark all delivered') {
    if (!isListed(conversation, user.id)) return;
    const status = kind === 'mark all read' ? 'read' : 'delivered';
    const body = { position: message.position };
    await user.call('POST', `${path}/mark_all_${status}`, standing.present ? 202 : 403, { body });
    if (!standing.present) return;
    for (const one of conversation.messages) {
      const isKept = one.deleted || one.isShadowed || one.hiddenFrom.has(user.id);
      if (one.position <= message.position && isUnread(one, user.id) && !isKept)
        setStatus(conversation, one, { reader: user.id, status });
    }
  } else if (kind === 'hide message') {
    await user.call('DELETE', `${address}?mode=my_devices`, 204);
    message.hiddenFrom.add(user.id);
  } else if (kind === 'react' || kind === 'unreact') {
    const key = pick(KEYS, other) ?? '';
    const isGiven = kind === 'react';
    const replace = isGiven && other % 5 === 0;
    const method = isGiven ? 'PUT' : 'DELETE';
    const query = replace ? '?replace=true' : '';
    const reacted = `${address}/reactions/${encodeURIComponent(key)}${query}`;
    const mayReact = standing.present && !isForbidden(conversation, user.id, 'react');
    await user.call(method, reacted, mayReact ? 204 : 403);
    const isSeen = !message.isShadowed && !shadowed.has(user.id);
    if (mayReact && isSeen) react(conversation, message, { user: user.id, key, isGiven, replace });
  } else if (kind === 'delete message') {
    const mayDelete = standing.present && !isForbidden(conversation, user.id, 'delete');
    await user.call('DELETE', `${address}?mode=all_participants`, mayDelete ? 204 : 403);
    if (mayDelete) deleteMessage(conversation, message);
  } else {
    const type = kind === 'read' ? 'read' : 'delivery';
    await user.call('POST', `${address}/receipts`, standing.present ? 204 : 403, { body: { type } });
    const status = message.statuses.get(user.id);
    if (!standing.present || status === undefined || status === 'read') return;
    setStatus(conversation, message, { reader: user.id, status: type === 'read' ? 'read' : 'delivered' });
  }
}
