import { identityUri, uuidOf, type TestUser } from '../../support/app.ts';
import type { Device } from './device.ts';
import { isListed, isUnread, presentIn, visibleTo, type Conversation, type World } from './world.ts';
import type { Json } from '../../support/json.ts';

const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

/** What one user is shown by REST, against the model. */
export const compareUser = async (world: World, user: TestUser): Promise<void> => {
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
};

const summaryOf = (shown: Json) => ({
  id: shown.id,
  participants: sorted(shown.participants.map(({ user_id }: { user_id: string }) => user_id)),
  metadata: shown.metadata,
  unread: shown.unread_message_count,
  total: shown.total_message_count,
  last: shown.last_message?.id ?? null,
});

const summaryIn = (conversation: Conversation, user: string) => {
  const visible = visibleTo(conversation, user);
  return {
    id: conversation.id,
    participants: conversation.standings.get(user)?.present ? sorted(presentIn(conversation)) : [],
    metadata: conversation.metadata,
    unread: visible.filter((message) => isUnread(message, user)).length,
    total: visible.length,
    last: visible.at(-1)?.id ?? null,
  };
};

/** All messages of a conversation, page by page. */
export const compareMessages = async (conversation: Conversation, user: TestUser): Promise<void> => {
  const expected = visibleTo(conversation, user.id).toReversed();
  const shown = await listMessages(conversation, user);
  expect([user.id, shown.count]).toEqual([user.id, String(expected.length)]);
  const found = shown.messages.map(({ id, is_unread, recipient_status }: Json) => ({
    id,
    is_unread,
    recipient_status,
  }));
  const wanted = expected.map((message) => ({
    id: message.id,
    is_unread: isUnread(message, user.id),
    recipient_status: statusesOf(message.statuses),
  }));
  expect([user.id, found]).toEqual([user.id, wanted]);
};

const statusesOf = (statuses: Map<string, string>): Record<string, string> =>
  Object.fromEntries([...statuses].map(([name, status]) => [identityUri(name), status]));

const listMessages = async (
  { id }: Conversation,
  user: TestUser,
): Promise<{ messages: Json[]; count: string | undefined }> => {
  const messages: Json[] = [];
  for (;;) {
    const from = messages.length > 0 ? `?from_id=${messages.at(-1).id}` : '';
    const { body, headers } = await user.call('GET', `/conversations/${uuidOf(id)}/messages${from}`, 200);
    messages.push(...body);
    if (body.length < 100) return { messages, count: headers['svc-count'] };
  }
};

/** What a client has made of the packets, against the model that REST agrees with. */
export const compareDevice = (world: World, user: TestUser, device: Device): void => {
  for (const conversation of world.conversations) {
    const standing = conversation.standings.get(user.id);
    // Somebody who was removed is told of nothing later, neither deletions nor the conversation's end.
    if (standing?.hasLeft && (conversation.deleted || !standing.present)) continue;
    const known = device.seen.get(conversation.id);
    const listed = isListed(conversation, user.id);
    expect([user.id, conversation.id, known?.listed ?? false]).toEqual([user.id, conversation.id, listed]);
    if (!known || !listed) continue;
    const { participants, metadata, unread, last } = summaryIn(conversation, user.id);
    expect([
      user.id,
      {
        participants: sorted(known.participants),
        metadata: known.metadata,
        unread: known.unread,
        last: known.lastMessage,
      },
    ]).toEqual([user.id, { participants: sorted(participants.map(identityUri)), metadata, unread, last }]);
    // What was sent before somebody was added is for them to fetch.
    const sent = visibleTo(conversation, user.id).filter(({ statuses }) => statuses.has(user.id));
    const ids = sent.map(({ id }) => id);
    if (standing?.hasLeft) {
      // Nor of what was deleted while they were out.
      expect([user.id, [...known.messages.keys()]]).toEqual([user.id, expect.arrayContaining(ids)]);
      continue;
    }
    expect([user.id, sorted(known.messages.keys())]).toEqual([user.id, sorted(ids)]);
    for (const message of sent.filter(({ sender }) => sender === user.id)) {
      const { statuses = {} } = known.messages.get(message.id) ?? {};
      const wanted = statusesOf(message.statuses);
      // Reading all says nothing of messages that the reader had hidden.
      for (const name of message.hiddenFrom) delete wanted[identityUri(name)];
      expect([message.position, statuses]).toEqual([message.position, expect.objectContaining(wanted)]);
    }
  }
};
