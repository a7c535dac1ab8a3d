import { randomUUID } from 'node:crypto';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { until } from '@parley/testing';
import { messageCreated } from './support/events.ts';
import { messageIdAt, startWebhooks, type Platform } from './support/platform.ts';
import { registerActive } from './support/webhooks.ts';

let platform: Platform;
let receiver: Receiver;
const appId = randomUUID();
const conversationId = randomUUID();
const actor = { userId: 'bob', displayName: 'Bob' };
const of = { appId, conversationId, actor };

const EVENTS = [
  ...['Message.updated', 'MessagePart.created', 'MessagePart.updated', 'MessagePart.deleted'],
  ...['Receipt.created', 'Identity.created', 'Identity.updated', 'Message.created'],
  ...['Push.delivered', 'Push.failed', 'Reaction.created', 'Reaction.deleted'],
];

beforeAll(async () => {
  platform = await startWebhooks();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  await registerActive(platform, appId, { target_url: receiver.url, events: EVENTS });
});
afterEach(async () => {
  for (const { id } of (await platform.webhooks.listWebhooks({ appId })).webhooks) {
    await platform.webhooks.deleteWebhook({ appId, id });
  }
  await receiver.stop();
});

type Body = { event: { id: string; type: string }; [key: string]: unknown };
function bodies(): Body[] {
  return receiver.received.map(({ text }) => JSON.parse(text) as Body);
}
function bodyOf(type: string) {
  return bodies().find(({ event }) => event.type === type);
}

test('a change of parts makes a notice of the message and of each part', async () => {
  const part = (body: string) => ({ id: randomUUID(), mimeType: 'text/plain', body });
  const [added, updated, removed] = [part('added'), part('updated'), randomUUID()];
  const messageId = messageIdAt(7);
  const sender = { userId: 'ada' };
  const message = {
    appId,
    id: messageId,
    conversationId,
    position: 7,
    sender,
    parts: [added, updated],
    sentAt: 1,
  };
  await platform.publish({
    ...of,
    body: {
      case: 'messagePartsChanged',
      value: {
        messageId,
        position: 7,
        added: [added],
        updated: [updated],
        removedPartIds: [removed],
        message,
      },
    },
  });
  await receiver.wait(4);
  expect(bodyOf('Message.updated')).toMatchObject({
    message: {
      parts: [{ body: 'added' }, { body: 'updated' }],
      recipient_status: { 'svc:///identities/bob': 'sent' },
    },
  });
  const url = `https://chat.example/apps/${appId}/conversations/${conversationId}/messages/${messageId}`;
  const reference = { id: `svc:///messages/${messageId}`, url };
  expect(bodyOf('MessagePart.created')).toMatchObject({
    message_part: { body: 'added' },
    message: reference,
  });
  expect(bodyOf('MessagePart.updated')).toMatchObject({
    message_part: { body: 'updated' },
    message: reference,
  });
  expect(bodyOf('MessagePart.deleted')).toMatchObject({
    message_part: { id: `svc:///messages/${messageId}/parts/${removed}`, url: `${url}/parts/${removed}` },
    message: reference,
  });
  expect(new Set(bodies().map(({ event }) => event.id)).size).toBe(4);
});

test('“mark all read” makes a receipt for each message, however many', async () => {
  const newlyRead = [
    { first: 1, last: 3 },
    { first: 10, last: 1206 },
  ];
  const event = {
    ...of,
    id: randomUUID(),
    body: { case: 'allRead' as const, value: { userId: 'bob', newlyRead } },
  };
  await platform.publish(event);
  await platform.publish(event);
  await until(() => (receiver.received.length >= 1200 ? true : undefined), {
    withinMs: 20_000,
    what: 'a receipt for each of them',
  });
  const ids = new Set(bodies().map(({ message }) => (message as { id: string }).id));
  expect(ids.size).toBe(1200);
  expect(receiver.received).toHaveLength(1200);
  expect(
    bodies().find(({ message }) => (message as { id: string }).id.endsWith('000000000012')),
  ).toMatchObject({
    actor: { user_id: 'bob' },
    receipt: { type: 'Read', positions: { from: 12, to: 12 } },
    conversation: { id: `svc:///conversations/${conversationId}` },
  });
});

test('“mark all delivered” makes a delivery receipt for each message', async () => {
  const newlyDelivered = [
    { first: 1, last: 2 },
    { first: 5, last: 5 },
  ];
  const value = { userId: 'bob', position: 5, newlyDelivered };
  await platform.publish({ ...of, body: { case: 'allDelivered', value } });
  await receiver.wait(3);
  const receipts = bodies().map(({ event, receipt }) => ({ type: event.type, receipt }));
  expect(receipts.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
    [1, 2, 5].map((at) => ({
      type: 'Receipt.created',
      receipt: { type: 'Delivery', positions: { from: at, to: at } },
    })),
  );
});

test('the notice of a receipt has its kind', async () => {
  const value = { type: ReceiptType.DELIVERY, userId: 'bob', messageId: messageIdAt(5), position: 5 };
  await platform.publish({ ...of, body: { case: 'receiptRecorded', value } });
  await receiver.wait(1);
  expect(bodyOf('Receipt.created')).toMatchObject({
    receipt: { type: 'Delivery', positions: { from: 5, to: 5 } },
  });
});

test('created and changed identities make notices, changes of internal fields do not', async () => {
  const changed = (created: boolean, fields: string[], more: object = {}) => ({
    appId,
    body: {
      case: 'identityChanged' as const,
      value: { identity: { appId, userId: 'dora', displayName: 'Dora', ...more }, created, fields },
    },
  });
  await platform.publish(
    changed(false, ['suspended'], { suspended: true }),
    changed(false, ['deleted'], { deleted: true }),
    changed(true, ['display_name']),
    changed(false, ['display_name', 'suspended']),
  );
  await receiver.wait(2);
  expect(
    bodies()
      .map(({ event }) => event.type)
      .sort(),
  ).toEqual(['Identity.created', 'Identity.updated']);
  expect(bodyOf('Identity.created')).toMatchObject({ actor: null, identity: { display_name: 'Dora' } });
});

test('a push that is settled makes a notice of its recipient, which the erasure of the user deletes', async () => {
  const value = {
    recipient: { userId: 'fay', incarnation: 0 },
    ...{ deviceId: 'phone', provider: 'fcm', attempts: 1, conversationId, messageId: messageIdAt(4) },
  };
  await platform.publish(
    { appId, body: { case: 'pushSettled', value: { ...value, delivered: true } } },
    {
      appId,
      body: { case: 'pushSettled', value: { ...value, conversationId: '', messageId: '', reason: '410' } },
    },
  );
  await receiver.wait(2);
  expect(bodyOf('Push.delivered')).toMatchObject({
    actor: null,
    push: { recipient: 'svc:///identities/fay', device_id: 'phone', provider: 'fcm', reason: null },
    message: { id: `svc:///messages/${messageIdAt(4)}` },
    conversation: { id: `svc:///conversations/${conversationId}` },
  });
  expect(bodyOf('Push.failed')).toMatchObject({
    push: { attempt_count: 1, reason: '410' },
    message: null,
    conversation: null,
  });
  await platform.publish({ appId, body: { case: 'userErased', value: { userId: 'fay', version: 1 } } });
  await until(
    async () => {
      const rows = await platform.ctx.db.query({ text: `select from notice where subject_user_id = 'fay'` });
      return rows.length === 0 || undefined;
    },
    { withinMs: 20_000, what: 'the notices about the erased user are deleted' },
  );
});

test('no notice about an erased user is kept or sent', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end();
  const said = messageCreated(appId, 1, conversationId);
  said.body.value.message.sender = said.actor = { userId: 'eve', displayName: 'Eve' };
  await platform.publish(said);
  await receiver.wait(1);
  await platform.publish({ appId, body: { case: 'userErased', value: { userId: 'eve' } } });
  await until(
    async () => {
      const rows = await platform.ctx.db.query({ text: `select from notice where subject_user_id = 'eve'` });
      return rows.length === 0 ? true : undefined;
    },
    { withinMs: 10_000, what: 'what was stored is gone' },
  );
});

test('a dead target delays no other, and takes no more than its capacity', async () => {
  const dead = await startReceiver();
  dead.respond = () => undefined;
  await registerActive(platform, appId, { target_url: dead.url, events: ['Message.created'] });
  for (let position = 1; position <= 100; position += 1) {
    await platform.publish(messageCreated(appId, position, randomUUID()));
  }
  await receiver.wait(100);
  expect(dead.received.length).toBeLessThanOrEqual(8);
  await dead.stop();
});

test('reactions make a notice each, with the user as actor, however many one event has', async () => {
  const messageId = messageIdAt(7);
  const changes = Array.from({ length: 30 }, (_, index) => ({
    id: randomUUID(),
    key: index % 2 === 0 ? '👍' : 'tada',
    user: { userId: `user${index}` },
    removed: index === 29,
    createdAt: 1,
  }));
  const event = {
    ...{ appId, conversationId, id: randomUUID() },
    body: { case: 'reactionsChanged' as const, value: { messageId, position: 7, changes } },
  };
  await platform.publish(event);
  await platform.publish(event);
  await receiver.wait(30);
  const shown = bodies().map((body) => [body.event.type, (body['actor'] as { user_id: string }).user_id]);
  const expected = changes.map(({ user, removed }) => [
    `Reaction.${removed ? 'deleted' : 'created'}`,
    user.userId,
  ]);
  expect(shown.toSorted()).toEqual(expected.toSorted());
  expect(bodyOf('Reaction.deleted')).toMatchObject({
    reaction: {
      id: `svc:///messages/${messageId}/reactions/${changes[29]!.id}`,
      key: 'tada',
      user: { user_id: 'user29' },
    },
    message: { id: `svc:///messages/${messageId}` },
    conversation: { id: `svc:///conversations/${conversationId}` },
  });
});

test('changed metadata make a notice of the message alone', async () => {
  const message = {
    appId,
    id: messageIdAt(8),
    conversationId,
    position: 8,
    sender: { userId: 'ada' },
    sentAt: 1,
  };
  const value = { messageId: message.id, position: 8, message: { ...message, metadata: '{"a":1}' } };
  await platform.publish({ ...of, body: { case: 'messageUpdated', value } });
  await receiver.wait(1);
  expect(bodyOf('Message.updated')).toMatchObject({
    actor: { user_id: 'bob' },
    message: { metadata: { a: 1 }, updated_at: null },
  });
});
