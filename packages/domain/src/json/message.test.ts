import { create } from '@bufbuild/protobuf';
import { ContentSchema, NotificationSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import type { RecipientStatus } from '../receipts.ts';
import {
  appId,
  basicIdentity,
  contentId,
  conversationId,
  messageId,
  partId,
  sampleMessage,
  samplePart,
  sentAt,
  viewOf,
} from '../testing/samples.ts';
import { messageJson } from './message.ts';

const statuses = new Map<string, RecipientStatus>([
  ['alice', 'read'],
  ['bob.b', 'delivered'],
]);
const base = 'https://chat.example';

test('a client sees a message in full', () => {
  expect(messageJson(viewOf('client', 'bob.b'), sampleMessage(), statuses)).toEqual({
    id: `svc:///messages/${messageId}`,
    url: `${base}/messages/${messageId}`,
    receipts_url: `${base}/messages/${messageId}/receipts`,
    position: 7,
    conversation: {
      id: `svc:///conversations/${conversationId}`,
      url: `${base}/conversations/${conversationId}`,
    },
    parts: [
      {
        id: `svc:///messages/${messageId}/parts/${partId}`,
        url: `${base}/messages/${messageId}/parts/${partId}`,
        message_url: `${base}/messages/${messageId}`,
        mime_type: 'text/plain',
        body: 'hello',
        encoding: null,
        content: null,
        updated_at: null,
      },
    ],
    sent_at: '2026-11-20T20:15:30.123Z',
    received_at: '2026-11-20T20:15:30.123Z',
    sender: {
      id: 'svc:///identities/alice',
      url: `${base}/identities/alice`,
      user_id: 'alice',
      display_name: 'Alice',
      avatar_url: null,
    },
    is_unread: true,
    recipient_status: { 'svc:///identities/alice': 'read', 'svc:///identities/bob.b': 'delivered' },
    updated_at: null,
  });
});

test("a server sees the same keys at its own addresses, without what is a reader's", () => {
  const view = viewOf('server');
  const json = messageJson(view, sampleMessage({ isUnread: true }), statuses);
  const url = `${base}/apps/${appId}/conversations/${conversationId}/messages/${messageId}`;
  expect(json).toMatchObject({ url, receipts_url: null, is_unread: null, received_at: null });
  expect(json.parts[0]).toMatchObject({ url: `${url}/parts/${partId}`, message_url: url });
  expect(Object.keys(json)).toEqual(Object.keys(messageJson(viewOf('client', 'bob'), sampleMessage())));
});

test('a server that acts as a user gets their records at addresses of that form', () => {
  const json = messageJson(viewOf('user', 'bob b'), sampleMessage(), statuses);
  expect(json.receipts_url).toBe(`${base}/apps/${appId}/users/bob%20b/messages/${messageId}/receipts`);
});

test.each([
  ['alice', undefined, false],
  ['bob.b', undefined, true],
  ['bob.b', false, false],
  ['stranger', undefined, false],
])('for %s, where the record says %p, is_unread is %p', (userId, isUnread, expected) => {
  const message = isUnread === undefined ? sampleMessage({ low: true }) : sampleMessage({ isUnread });
  expect(messageJson(viewOf('client', userId), message, statuses).is_unread).toBe(expected);
});

test('the notification is shown when there was one', () => {
  const notification = create(NotificationSchema, { text: 'psst' });
  const json = messageJson(viewOf('client'), sampleMessage({ notification, updatedAt: sentAt }));
  expect(json.notification).toEqual({ title: null, text: 'psst', sound: null });
  expect(json.updated_at).toBe('2026-11-20T20:15:30.123Z');
});

test('content has an address to refresh it', () => {
  const content = create(ContentSchema, {
    id: contentId,
    size: 5,
    downloadUrl: 'https://store.example/x',
    expiration: sentAt,
  });
  const message = sampleMessage({
    parts: [samplePart({ mimeType: 'image/png', content, updatedAt: sentAt })],
  });
  const part = messageJson(viewOf('client', 'bob'), message).parts[0];
  expect(part).toMatchObject({ body: null, updated_at: '2026-11-20T20:15:30.123Z' });
  expect(part?.content).toEqual({
    id: `svc:///content/${contentId}`,
    size: 5,
    download_url: 'https://store.example/x',
    expiration: '2026-11-20T20:15:30.123Z',
    refresh_url: `${base}/content/${contentId}`,
    upload_url: null,
  });
  const forServer = messageJson(viewOf('server'), message).parts[0]?.content;
  expect(forServer?.refresh_url).toBe(
    `${base}/apps/${appId}/conversations/${conversationId}/content/${contentId}`,
  );
});

test('a user id like that of no other object is a recipient like others', () => {
  const json = messageJson(viewOf('client', 'bob'), sampleMessage({ sender: basicIdentity('__proto__') }));
  expect(json.recipient_status).toEqual({ 'svc:///identities/__proto__': 'read' });
});
