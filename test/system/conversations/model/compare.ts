import { identityUri, uuidOf, type TestUser } from '../../../support/app.ts';
import { statusKey } from './changes.ts';
import { countedOf, rulesIn } from './policy.ts';
import type { Device, SeenConversation } from './device.ts';
import {
  isListed,
  isShownUnread,
  metadataTo,
  presentIn,
  reactionsTo,
  visibleTo,
  type Conversation,
  type Standing,
  type Status,
  type World,
} from './world.ts';
import type { Json } from '../../../support/json.ts';

function sorted(ids: Iterable<string>): string[] {
  return [...ids].sort();
}

/** Compares one user's view by REST with the model. */
export async function compareUser(world: World, user: TestUser): Promise<void> {
  const { body, headers } = await user.call('GET', '/conversations', 200);
  const expected = world.conversations.filter((one) => isListed(one, user.id));
  expect([user.id, sorted(body.map(({ id }: { id: string }) => id))]).toEqual([
    user.id,
    sorted(expected.map(({ id }) => id)),
  ]);
  expect(headers['svc-count']).toBe(String(expected.length));
  for (const conversation of expected) {
    const shown = body.find(({ id }: { id: string }) => id === conversation.id);
    expect([user.id, summaryOf(shown)]).toEqual([user.id, summaryIn(conversation, user.id)]);
  }
}

function summaryOf(shown: Json) {
  return {
    id: shown.id,
    participants: sorted(shown.participants.map(({ user_id }: { user_id: string }) => user_id)),
    metadata: shown.metadata,
    unread: shown.unread_message_count,
    total: shown.total_message_count,
    last: shown.last_message?.id ?? null,
    isFrozen: shown.frozen !== undefined,
    roles: Object.fromEntries(Object.entries(shown.roles ?? {}).sort()),
  };
}

function summaryIn(conversation: Conversation, user: string) {
  const visible = visibleTo(conversation, user);
  const counted = countedOf(visible);
  const { isFrozen, roles } = rulesIn(conversation);
  const isPresent = conversation.standings.get(user)?.present === true;
  return {
    id: conversation.id,
    participants: isPresent ? sorted(presentIn(conversation)) : [],
    metadata: metadataTo(conversation, user),
    unread: counted.filter((message) => isShownUnread(conversation, message, user)).length,
    total: visible.length,
    last: visible.at(-1)?.id ?? null,
    isFrozen: isPresent && isFrozen,
    roles: isPresent ? roles : {},
  };
}

/** All messages of a conversation, page by page; none if the user does not participate. */
export async function compareMessages(
  world: World,
  conversation: Conversation,
  user: TestUser,
): Promise<void> {
  if (!conversation.standings.has(user.id) || conversation.deleted) {
    await user.call('GET', `/conversations/${uuidOf(conversation.id)}/messages`, 404);
    return;
  }
  const expected = visibleTo(conversation, user.id).toReversed();
  const shown = await listMessages(conversation, user);
  expect([user.id, shown.count]).toEqual([user.id, String(expected.length)]);
  const found = shown.messages.map(({ id, is_unread, recipient_status, reactions = {} }: Json) => ({
    id,
    is_unread,
    recipient_status,
    reactions,
  }));
  const wanted = expected.map((message) => ({
    id: message.id,
    is_unread: isShownUnread(conversation, message, user.id),
    recipient_status: statusesOf(message.statuses),
    reactions: shownReactions(world, conversation, { message, user: user.id }),
  }));
  expect([user.id, found]).toEqual([user.id, wanted]);
}

/** By key, as REST shows them. */
function shownReactions(world: World, conversation: Conversation, seen: Parameters<typeof reactionsTo>[2]) {
  return Object.fromEntries(
    Object.entries(reactionsTo(world, conversation, seen)).map(([key, { count, recent, own }]) => [
      key,
      { count, recent: recent.map(identityUri), ...(own && { own }) },
    ]),
  );
}

function statusesOf(statuses: Map<string, string>): Record<string, string> {
  return Object.fromEntries([...statuses].map(([name, status]) => [identityUri(name), status]));
}

async function listMessages(
  { id }: Conversation,
  user: TestUser,
): Promise<{ messages: Json[]; count: string | undefined }> {
  const messages: Json[] = [];
  for (;;) {
    const from = messages.length > 0 ? `?from_id=${messages.at(-1).id}` : '';
    const { body, headers } = await user.call('GET', `/conversations/${uuidOf(id)}/messages${from}`, 200);
    messages.push(...body);
    if (body.length < 100) return { messages, count: headers['svc-count'] };
  }
}

/**
 * Compares a client's state, built from packets, with the model that REST agrees with. "An added user gets `create
 * Conversation`; a removed one the removal, then nothing more": the deletions of messages while a user was out of the
 * conversation are all that a client may not know, and of messages sent at that time or before the first joining that they exist.
 * docs/protocol/websocket.md#replay
 */
export function compareDevice(world: World, user: TestUser, device: Device): void {
  const ids = new Set(world.conversations.map(({ id }) => id));
  const others = [...device.seen].filter(([id, { listed }]) => listed && !ids.has(id));
  expect([user.id, others]).toEqual([user.id, []]);
  for (const conversation of world.conversations) {
    const standing = conversation.standings.get(user.id);
    if (conversation.deleted && standing && !standing.present) continue;
    const known = device.seen.get(conversation.id);
    const isKnown = known?.listed ?? false;
    expect([user.id, conversation.id, isKnown]).toEqual([
      user.id,
      conversation.id,
      isListed(conversation, user.id),
    ]);
    if (!known || !standing || !isKnown) continue;
    compareSummary(conversation, standing, { user, known });
    compareKnownMessages(conversation, standing, { user, known });
    if (!standing.wasOut) compareReactions(world, conversation, { user, known });
  }
}

type Knowledge = { user: TestUser; known: SeenConversation };

function compareSummary(conversation: Conversation, { missed }: Standing, { user, known }: Knowledge): void {
  const { participants, metadata, unread, last } = summaryIn(conversation, user.id);
  expect([user.id, conversation.id, sorted(known.participants)]).toEqual([
    user.id,
    conversation.id,
    sorted(participants.map(identityUri)),
  ]);
  expect([user.id, conversation.id, known.metadata, known.unread]).toEqual([
    user.id,
    conversation.id,
    metadata,
    unread,
  ]);
  expect([last, ...missed.deletedSince]).toContain(known.lastMessage);
  if (!conversation.standings.get(user.id)?.present) return;
  const told = { isFrozen: known.isFrozen, roles: Object.fromEntries([...known.roles].sort()) };
  expect([user.id, conversation.id, told]).toEqual([user.id, conversation.id, rulesIn(conversation)]);
}

/** Counts, and what is the user's own. Names follow the blocks of the moment, of which no packet tells. */
function compareReactions(world: World, conversation: Conversation, { user, known }: Knowledge): void {
  for (const message of visibleTo(conversation, user.id)) {
    const told = known.messages.get(message.id)?.reactions;
    if (!told || !message.statuses.has(user.id)) continue;
    const wanted = Object.entries(reactionsTo(world, conversation, { message, user: user.id }));
    expect([user.id, message.position, Object.fromEntries(told)]).toEqual([
      user.id,
      message.position,
      Object.fromEntries(wanted.map(([key, { count, own }]) => [key, { count, ...(own && { own }) }])),
    ]);
  }
}

function compareKnownMessages(
  conversation: Conversation,
  { missed }: Standing,
  { user, known }: Knowledge,
): void {
  const sent = visibleTo(conversation, user.id).filter(({ statuses }) => statuses.has(user.id));
  const kept = [...known.messages.keys()].filter((id) => !missed.deleted.has(id));
  expect([user.id, sorted(kept)]).toEqual([user.id, sorted(sent.map(({ id }) => id))]);
  for (const message of sent.filter(({ sender }) => sender === user.id)) {
    const { statuses = {} } = known.messages.get(message.id) ?? {};
    const wanted = [...message.statuses].map(([reader, status]) => {
      const possible = missed.statuses.get(statusKey(message, reader));
      const told = statuses[identityUri(reader)];
      return [identityUri(reader), possible?.has(told as Status) ? told : status];
    });
    expect([user.id, message.position, statuses]).toEqual([
      user.id,
      message.position,
      Object.fromEntries(wanted),
    ]);
  }
}
