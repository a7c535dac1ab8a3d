import fc from 'fast-check';
import { textPart, uuidOf, type TestUser } from '../../support/app.ts';
import type { Device } from './device.ts';
import {
  isListed,
  isUnread,
  join,
  leave,
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
  | 'hide message'
  | 'delete message'
  | 'hide conversation'
  | 'leave'
  | 'delete conversation'
  | 'set metadata'
  | 'add'
  | 'remove'
  | 'disconnect'
  | 'connect';

/** The numbers choose among what there is, modulo. */
export type Operation = { kind: Kind; user: number; conversation: number; message: number; other: number };

const weights: Record<Kind, number> = {
  create: 2,
  send: 30,
  read: 14,
  delivery: 10,
  'mark all read': 5,
  'hide message': 5,
  'delete message': 4,
  'hide conversation': 3,
  leave: 2,
  'delete conversation': 1,
  'set metadata': 4,
  add: 6,
  remove: 3,
  disconnect: 5,
  connect: 6,
};

const index = fc.nat(1_000_000);

export const operations = (count: number): fc.Arbitrary<Operation[]> =>
  fc.array(
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

export type Cast = { world: World; people: Map<string, TestUser>; devices: Map<string, Device> };

const MOST_CONVERSATIONS = 5;

/** Does it to the platform and to the model; what the model refuses the platform has to refuse too. */
export const perform = async (cast: Cast, operation: Operation): Promise<void> => {
  const { world, people, devices } = cast;
  const name = pick(world.users, operation.user) ?? '';
  const user = people.get(name);
  const device = devices.get(name);
  if (!user || !device) return;
  if (operation.kind === 'disconnect') return device.isConnected ? device.disconnect() : undefined;
  if (operation.kind === 'connect') return device.isConnected ? undefined : device.connect();
  const conversation = pick(world.conversations, operation.conversation);
  if (operation.kind === 'create' || !conversation) return create(cast, name, operation);
  await act(user, conversation, operation, pick(world.users, operation.other) ?? '');
};

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)];

const create = async (
  { world, people }: Cast,
  name: string,
  { message, other }: Operation,
): Promise<void> => {
  if (world.conversations.length >= MOST_CONVERSATIONS) return;
  const others = world.users.filter((one, n) => one !== name && ((message + other) >> n) % 2 === 0);
  const { body } = await people
    .get(name)!
    .call('POST', '/conversations', 201, { body: { participants: others } });
  const conversation: Conversation = {
    id: body.id,
    deleted: false,
    metadata: {},
    messages: [],
    standings: new Map(),
  };
  for (const user of [name, ...others]) join(conversation, user);
  world.conversations.push(conversation);
};

const act = async (
  user: TestUser,
  conversation: Conversation,
  { kind, message, other }: Operation,
  second: string,
): Promise<void> => {
  const path = `/conversations/${uuidOf(conversation.id)}`;
  const standing = conversation.standings.get(user.id);
  const isGone = !standing || conversation.deleted;
  if (kind === 'send') {
    const expected = isGone ? 404 : standing.present ? 201 : 403;
    const { body } = await user.call('POST', `${path}/messages`, expected, {
      body: { parts: [textPart('x')] },
    });
    if (expected === 201) addMessage(conversation, user.id, body);
    return;
  }
  if (isGone) return void (await user.call('GET', path, 404));
  if (kind === 'hide conversation' || kind === 'leave') {
    const leaves = kind === 'leave';
    await user.call('DELETE', `${path}?mode=my_devices&leave=${leaves}`, 204);
    return hide(conversation, user.id, leaves);
  }
  if (kind === 'delete conversation') {
    // Most conversations live on.
    if (other % 3 > 0) return;
    await user.call('DELETE', `${path}?mode=all_participants`, standing.present ? 204 : 403);
    conversation.deleted ||= standing.present;
    return;
  }
  if (kind === 'set metadata' || kind === 'add' || kind === 'remove') {
    const status = !standing.present ? 403 : isListed(conversation, user.id) ? 204 : 404;
    await user.call('PATCH', path, status, { body: [stepOf(kind, second, String(message))] });
    return status === 204 ? patch(conversation, kind, { second, value: String(message) }) : undefined;
  }
  await actOnMessage(user, conversation, { kind, message, path });
};

const addMessage = (
  conversation: Conversation,
  sender: string,
  body: { id: string; position: number },
): void => {
  const statuses = new Map<string, 'sent' | 'read'>(presentIn(conversation).map((one) => [one, 'sent']));
  statuses.set(sender, 'read');
  const { id, position } = body;
  conversation.messages.push({
    id,
    position,
    sender,
    deleted: false,
    statuses: new Map(statuses),
    hiddenFrom: new Set(),
  });
};

const hide = (conversation: Conversation, user: string, leaves: boolean): void => {
  const standing = conversation.standings.get(user)!;
  const until = standing.present ? conversation.messages.length : standing.leftHead;
  standing.hiddenUntil = until;
  standing.unlistedAt = until;
  if (leaves && standing.present) leave(conversation, user);
};

const stepOf = (kind: 'set metadata' | 'add' | 'remove', second: string, value: string) =>
  kind === 'set metadata'
    ? { operation: 'set', property: 'metadata.key', value }
    : { operation: kind, property: 'participants', id: second };

const patch = (
  conversation: Conversation,
  kind: Kind,
  { second, value }: { second: string; value: string },
): void => {
  const isThere = presentIn(conversation).includes(second);
  if (kind === 'set metadata') conversation.metadata['key'] = value;
  if (kind === 'add' && !isThere) join(conversation, second);
  if (kind === 'remove' && isThere) leave(conversation, second);
};

type MessageAction = { kind: Kind; message: number; path: string };

const actOnMessage = async (
  user: TestUser,
  conversation: Conversation,
  { kind, message: at, path }: MessageAction,
): Promise<void> => {
  const standing = conversation.standings.get(user.id)!;
  const visible = visibleTo(conversation, user.id);
  const message = pick(visible.slice(-12), at);
  if (!message) return;
  const address = `/messages/${uuidOf(message.id)}`;
  if (kind === 'mark all read') {
    if (!isListed(conversation, user.id)) return;
    const body = { position: message.position };
    await user.call('POST', `${path}/mark_all_read`, standing.present ? 202 : 403, { body });
    if (!standing.present) return;
    for (const one of conversation.messages) {
      const isKept = one.deleted || (one.hiddenFrom.has(user.id) && one.position > standing.hiddenUntil);
      if (one.position <= message.position && isUnread(one, user.id) && !isKept)
        one.statuses.set(user.id, 'read');
    }
  } else if (kind === 'hide message') {
    await user.call('DELETE', `${address}?mode=my_devices`, 204);
    message.hiddenFrom.add(user.id);
  } else if (kind === 'delete message') {
    await user.call('DELETE', `${address}?mode=all_participants`, standing.present ? 204 : 403);
    message.deleted = standing.present;
  } else {
    const type = kind === 'read' ? 'read' : 'delivery';
    await user.call('POST', `${address}/receipts`, standing.present ? 204 : 403, { body: { type } });
    const status = message.statuses.get(user.id);
    if (!standing.present || status === undefined || status === 'read') return;
    message.statuses.set(user.id, type === 'read' ? 'read' : 'delivered');
  }
};
