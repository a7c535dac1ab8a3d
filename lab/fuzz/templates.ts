import { randomUUID } from 'node:crypto';
import type { World } from './world.ts';

const part = { mime_type: 'text/plain', body: 'hello' };
const patch = [
  { operation: 'set', property: 'metadata.a.b', value: 'c' },
  { operation: 'delete', property: 'metadata.a' },
];

const settings = [
  [{ operation: 'set', property: 'session_ttl_in_seconds', value: 86_400 }],
  [{ operation: 'set', property: 'public_identity_fields', value: ['phone_number'] }],
  [{ operation: 'set', property: 'user_directory', value: 'everyone' }],
];

const positions = [{ position: 1 }, { position: null }];

/** Bodies that some row accepts, by a word of the row's path; `''` is for rows that nothing else is for. */
export function bodiesOf({ ids, other, actor }: World): Readonly<Record<string, readonly unknown[]>> {
  const recipients = [other, actor.uri];
  const content = { mime_type: 'text/plain', content: { id: `svc:///content/${ids.content}`, size: 5 } };
  const file = { ...content, filename: 'Büro "1".txt' };
  const message = { parts: [part], notification: { title: 'a', text: 'b', sound: 'c' } };
  const sent = {
    ...{ ...message, sender_id: actor.id },
    significance: { default: 'low', recipients: { [other]: 'normal' } },
    schedule: { delay_in_seconds: 250.5, typing_indicator_in_seconds: 1.5 },
  };
  return {
    conversations: [
      { participants: [other], distinct: true, metadata: { a: { b: 'c' } } },
      { id: randomUUID(), participants: [actor.uri, other] },
      patch,
      [
        { operation: 'add', property: 'participants', value: other, history: 'none' },
        { operation: 'set', property: 'participants', value: recipients },
      ],
    ],
    messages: [
      message,
      { id: randomUUID(), parts: [part, content, file] },
      sent,
      [sent, { sender_id: other, parts: [part] }],
    ],
    parts: [part, content, file, [part], { mime_type: 'text/html', body: 'aGVsbG8=', encoding: 'base64' }],
    receipts: [{ type: 'read' }, { type: 'delivery' }],
    ...{ mark_all_read: positions, mark_all_delivered: positions },
    presence: [{ status: 'busy' }],
    push_tokens: [{ token: 't', type: 'apns', device_id: 'd', bundle: { id: 'x' } }],
    notifications: [{ recipients, notification: { text: 'hello' } }],
    announcements: [{ recipients, sender_id: actor.id, parts: [part, file] }],
    webhooks: [
      {
        ...{ version: '3.0', target_url: 'https://127.0.0.1/hook', events: ['Message.created'] },
        ...{ secret: 'a secret', config: { a: { b: [1] } } },
      },
      { secret: 'another' },
      { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', status: 'dead' },
    ],
    export_security: [{ public_key: 'x', padding: 'pkcs1' }],
    export_schedule: [{ interval: 'daily', events: ['Message.created'], hour_utc: 3 }],
    identity: [
      { display_name: 'A', metadata: { a: 'b' }, type: 'bot', phone_number: '1' },
      [{ operation: 'set', property: 'metadata.a', value: 'x' }],
    ],
    following: [[other, actor.uri]],
    blocks: [[{ operation: 'add', property: 'blocks', id: other }]],
    badge: [{ external_unread_count: 3 }],
    users: [[{ operation: 'set', property: 'suspended', value: false }]],
    sessions: [{ identity_token: 'a.b.c', app_id: actor.app.appId }],
    '': [...settings, {}, []],
  };
}

/** Data of each method of a socket. */
export function requestsOf({
  ids,
  other,
}: World): readonly { method: string; object_id?: string; data?: unknown }[] {
  const conversation = { object_id: `svc:///conversations/${ids.conversation}` };
  const message = { object_id: `svc:///messages/${ids.message}` };
  return [
    { method: 'Message.create', ...conversation, data: { id: randomUUID(), parts: [part] } },
    { method: 'Conversation.create', data: { participants: [other], distinct: true, metadata: { a: 'b' } } },
    { method: 'Conversation.update', ...conversation, data: patch },
    { method: 'Conversation.delete', ...conversation, data: { mode: 'my_devices', leave: false } },
    { method: 'Conversation.mark_all_read', ...conversation, data: { position: 1 } },
    { method: 'Conversation.mark_all_delivered', ...conversation, data: { position: 1 } },
    { method: 'Message.delete', ...message, data: { mode: 'my_devices' } },
    { method: 'Receipt.create', ...message, data: { type: 'read' } },
    { method: 'Receipt.create', object_id: `svc:///messages/${ids.received}`, data: { type: 'read' } },
    { method: 'Counter.read' },
    { method: 'Event.replay', data: { from_timestamp: new Date(Date.now() - 2_000).toISOString() } },
    { method: 'Presence.subscribe', data: { ids: [other] } },
    { method: 'Presence.update', data: [{ operation: 'set', property: 'status', value: 'away' }] },
    { method: 'Presence.sync', data: { ids: [other], since: '2026-01-01T00:00:00Z' } },
  ];
}
