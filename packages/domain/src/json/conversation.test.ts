import { create } from '@bufbuild/protobuf';
import { ConversationSchema, UserViewSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { appId, conversationId, messageId, sampleMessage, sentAt, viewOf } from '../testing/samples.ts';
import { conversationJson } from './conversation.ts';

const conversation = create(ConversationSchema, {
  appId,
  id: conversationId,
  createdAt: sentAt,
  participants: [{ userId: 'alice' }, { userId: 'bob' }],
  distinct: true,
});

test('a server sees what is the same for everybody', () => {
  const url = `https://chat.example/apps/${appId}/conversations/${conversationId}`;
  expect(conversationJson(viewOf('server'), conversation)).toEqual({
    id: `svc:///conversations/${conversationId}`,
    url,
    messages_url: `${url}/messages`,
    created_at: '2026-11-20T20:15:30.123Z',
    participants: [
      expect.objectContaining({ user_id: 'alice' }),
      expect.objectContaining({ user_id: 'bob' }),
    ],
    distinct: true,
    metadata: {},
    last_message: null,
    unread_message_count: null,
    total_message_count: null,
  });
});

test('a user sees their newest message and counts too', () => {
  const userView = {
    lastMessage: sampleMessage({ isUnread: true }),
    unreadMessageCount: 2,
    totalMessageCount: 9,
  };
  const metadata = { a: { b: 'c' } };
  const json = conversationJson(viewOf('client', 'bob'), {
    ...conversation,
    metadata,
    userView: create(UserViewSchema, userView),
  });
  expect(json).toMatchObject({
    url: `https://chat.example/conversations/${conversationId}`,
    metadata,
    last_message: { id: `svc:///messages/${messageId}`, is_unread: true },
    unread_message_count: 2,
    total_message_count: 9,
  });
});

test('to a user a new conversation is empty', () => {
  expect(conversationJson(viewOf('client', 'bob'), conversation)).toMatchObject({
    last_message: null,
    unread_message_count: 0,
    total_message_count: 0,
  });
});
