import { create } from '@bufbuild/protobuf';
import { Conversation } from '@parley/contract/records/conversation';
import { Message } from '@parley/contract/records/message';
import { Content, MessagePart } from '@parley/contract/records/part';
import { ScheduledMessage } from '@parley/contract/records/scheduled-message';
import { mismatches } from '@parley/contract/testing/mismatches';
import { ConversationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import {
  ContentSchema,
  MessageReactionSchema,
  NotificationSchema,
} from '@parley/proto/parley/messaging/v1/message_pb';
import { ScheduledMessageSchema } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import {
  appId,
  contentId,
  conversationId,
  messageId,
  partId,
  sampleMessage,
  samplePart,
  sentAt,
  viewOf,
} from '../testing/samples.ts';
import { conversationJson } from './conversation.ts';
import { messageJson } from './message.ts';
import { contentJson, partJson } from './part.ts';
import { scheduledMessageJson } from './scheduled-message.ts';

const content = create(ContentSchema, { id: contentId, size: 5, downloadUrl: 'https://a.example/b' });
const parts = [
  samplePart({ body: 'hello' }),
  samplePart({
    id: contentId,
    mimeType: 'image/png',
    content: { ...content, expiration: sentAt },
    filename: 'a.png',
  }),
  samplePart({ id: messageId, mimeType: 'image/png', body: 'AAAA', encoding: 'base64', updatedAt: sentAt }),
];
const message = sampleMessage({
  parts,
  updatedAt: sentAt,
  notification: create(NotificationSchema, { title: 'Alice' }),
  metadata: '{"kind":"system","order":{"number":1.5,"is_unread":true,"recipient_status":{}}}',
  reactions: [
    create(MessageReactionSchema, {
      key: 'a.b',
      count: 2,
      recent: ['bob', 'a b/ü'],
      own: true,
      userIds: ['bob'],
    }),
  ],
});
const statuses = new Map([
  ['alice', 'read'],
  ['a b/ü', 'delivered'],
] as const);
const record = {
  appId,
  id: conversationId,
  createdAt: sentAt,
  participants: [{ userId: 'alice', displayName: 'Alice' }, { userId: 'bob' }],
  metadata: { topic: 'engines', colours: { background: '#fff' } },
};
const draft = { appId, conversationId, id: messageId, senderId: 'alice', parts };

describe.each([
  ['a client', viewOf('client', 'bob')],
  ['a server', viewOf('server')],
  ['a server as a user', viewOf('user', 'bob')],
])('for %s', (_audience, view) => {
  test.each([
    ['a message', Message, messageJson(view, sampleMessage())],
    ['a message with everything', Message, messageJson(view, message, statuses)],
    ['a part', MessagePart, partJson(view, { id: messageId, conversationId }, samplePart({ id: partId }))],
    [
      'a content to be uploaded',
      Content,
      contentJson(view, { conversationId }, content, 'https://a.example/u'),
    ],
    ['an uploaded content', Content, contentJson(view, { conversationId }, content)],
    ['an empty conversation', Conversation, conversationJson(view, create(ConversationSchema, record))],
    [
      'a conversation with a message',
      Conversation,
      conversationJson(
        view,
        create(ConversationSchema, { ...record, userView: { lastMessage: message, unreadMessageCount: 1 } }),
      ),
    ],
    [
      'a scheduled message',
      ScheduledMessage,
      scheduledMessageJson(view, create(ScheduledMessageSchema, { draft, createdAt: sentAt, dueAt: sentAt })),
    ],
    [
      'a scheduled message with everything',
      ScheduledMessage,
      scheduledMessageJson(
        view,
        create(ScheduledMessageSchema, {
          draft: { ...draft, notification: { text: 'Later' }, metadata: '{"a":1}' },
          sender: { userId: 'alice' },
          createdAt: sentAt,
          dueAt: sentAt,
          typingAt: sentAt,
        }),
      ),
    ],
  ])('%s is rendered as described', (_record, schema, json) => {
    expect(mismatches(schema, json)).toEqual([]);
  });
});
