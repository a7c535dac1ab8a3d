import { randomUUID } from 'node:crypto';
import type { World } from './world.ts';

const part = { mime_type: 'text/plain', body: 'hello' };
const patch = [
  { operation: 'set', property: 'metadata.a.b', value: 'c' },
  { operation: 'delete', property: 'metadata.a' },
];

/** Bodies that some row accepts, by a word of the row's path; `''` is for rows that nothing else is for. */
export function bodiesOf({ ids, other, actor }: World): Readonly<Record<string, readonly unknown[]>> {
  const recipients = [other, actor.uri];
  const content = { mime_type: 'text/plain', content: { id: `svc:///content/${ids.content}`, size: 5 } };
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
        { operation: 'add', property: 'participants', value: other },
        { operation: 'set', property: 'participants', value: recipients },
      ],
    ],
    messages: [
      message,
      { id: randomUUID(), parts: [part, content] },
      sent,
      [sent, { sender_id: other, parts: [part] }],
    ],
    parts: [part, content, [part], { mime_type: 'text/html', body: 'aGVsbG8=', encoding: 'base64' }],
    receipts: [{ type: 'read' }, { type: 'delivery' }],
    mark_all_read: [{ position: 1 }, { position: null }],
    presence: [{ status: 'busy' }],
    push_tokens: [{ token: 't', type: 'apns', device_id: 'd', bundle: { id: 'x' } }],
    notifications: [{ recipients, notification: { text: 'hello' } }],
    announcements: [{ recipients, sender_id: actor.id, parts: [part] }],
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
    '': [[{ operation: 'set', property: 'session_ttl_in_seconds', value: 86_400 }], {}, []],
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
    { method: 'Message.delete', ...message, data: { mode: 'my_devices' } },
    { method: 'Receipt.create', ...message, data: { type: 'read' } },
    { method: 'Counter.read' },
    { method: 'Event.replay', data: { from_timestamp: new Date(Date.now() - 2_000).toISOString() } },
    { method: 'Presence.subscribe', data: { ids: [other] } },
    { method: 'Presence.update', data: [{ operation: 'set', property: 'status', value: 'away' }] },
    { method: 'Presence.sync', data: { ids: [other], since: '2026-01-01T00:00:00Z' } },
  ];
}

/** Requests of each method of the administration API, about the application that it may destroy. */
export function adminRequestsOf({ victim, other }: World): Readonly<Record<string, object>> {
  const app = { app_uuid: victim.appUuid };
  const service = (name: string) => `parley.identity.v1.AdminService/${name}`;
  const importOf = (name: string) => `parley.messaging.v1.ImportService/${name}`;
  const id = `svc:///conversations/${randomUUID()}`;
  const now = '2026-01-01T00:00:00.000Z';
  const sender = { id: 'svc:///identities/a', display_name: 'A' };
  return {
    ...pushRequestsOf(app),
    [service('CreateApp')]: { name: 'x', environment: 'staging' },
    [service('ListApps')]: {},
    [service('GetApp')]: app,
    [service('UpdateApp')]: {
      ...app,
      name: 'y',
      session_ttl_in_seconds: 3_600,
      allowed_origins: { origins: ['https://a'] },
    },
    [service('SuspendApp')]: app,
    [service('ResumeApp')]: app,
    [service('DeleteApp')]: { app_uuid: randomUUID() },
    [service('CreateProvider')]: { ...app, name: 'p' },
    [service('ListProviders')]: app,
    [service('DeleteProvider')]: { provider_id: randomUUID() },
    [service('CreateKey')]: { provider_id: victim.providerId, public_key: 'x' },
    [service('ListKeys')]: { provider_id: victim.providerId },
    [service('DisableKey')]: { key_id: victim.keyId },
    [service('EnableKey')]: { key_id: victim.keyId },
    [service('DeleteKey')]: { key_id: randomUUID() },
    [service('CreateAccessToken')]: { ...app, name: 't' },
    [service('ListAccessTokens')]: app,
    [service('DeleteAccessToken')]: { access_token_id: randomUUID() },
    [service('ValidateIdentityToken')]: { ...app, identity_token: 'a.b.c' },
    [service('SearchUsers')]: { ...app, query: 'a' },
    [service('SuspendUser')]: { ...app, user_id: other },
    [service('ResumeUser')]: { ...app, user_id: other },
    [service('ListAuditEntries')]: { ...app, page_size: 10 },
    [service('GetStatistics')]: app,
    [importOf('ImportConversations')]: {
      ...app,
      conversations: [{ id, created_at: now, participants: [sender], distinct: false, metadata: { a: 'b' } }],
    },
    [importOf('ImportMessages')]: {
      ...app,
      messages: [
        {
          ...{
            id: `svc:///messages/${randomUUID()}`,
            conversation: { id },
            position: 1,
            sender,
            sent_at: now,
          },
          ...{ parts: [part], recipient_status: { 'svc:///identities/a': 'read' } },
        },
      ],
    },
  };
}

function pushRequestsOf(app: { app_uuid: string }): Readonly<Record<string, object>> {
  const push = (name: string) => `parley.push.v1.PushAdminService/${name}`;
  return {
    [push('SetPushCredentials')]: { ...app, provider: 'fcm', service_account: '{"project_id": "abc"}' },
    [push('GetPushCredentials')]: app,
    [push('DeletePushCredentials')]: { ...app, provider: 'fcm' },
    [push('SetPushSettings')]: { ...app, ids_only: true, collapse_by_conversation: true },
    [push('GetPushSettings')]: app,
    [push('SendTestPush')]: { ...app, user_id: 'a', device_id: 'phone', title: 'x', text: 'y' },
  };
}
