import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import {
  ALL_EVENTS,
  ofType,
  subscribe,
  verifySignatures,
  waitFor,
  type Subscribed,
} from '../../support/webhooks.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let hook: Subscribed;
const config = { purpose: 'tests' };

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  await app.login('cem');
  hook = await subscribe(app, ALL_EVENTS, { config });
});

// All notifications that arrived in this file, with repetitions.
afterAll(async () => {
  for (const received of hook.receiver.received) verifySignatures(received);
  await hook.receiver.stop();
});

function basic(userId: string) {
  return {
    id: `svc:///identities/${userId}`,
    url: `${app.baseUrl}/apps/${app.appUuid}/users/${userId}/identity`,
    user_id: userId,
    display_name: userId,
    avatar_url: null,
  };
}
async function converse(participants: string[], metadata?: object) {
  return (await ada.call('POST', '/conversations', 201, { body: { participants, metadata } })).body;
}
async function say(conversation: Json, text: string) {
  return (
    await ada.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, {
      body: { parts: [textPart(text)] },
    })
  ).body;
}
async function fromServer(path: string) {
  return (await app.server('GET', path, 200)).body;
}
function reference(kind: string, id: string, path: string) {
  return {
    id: `svc:///${kind}/${uuidOf(id)}`,
    url: `${app.baseUrl}/apps/${app.appUuid}${path}`,
  };
}
function of(conversation: Json) {
  return `/conversations/${uuidOf(conversation.id)}`;
}
function eventsOf(conversation: Json): string[] {
  return hook.receiver.received
    .map(({ text }) => JSON.parse(text))
    .filter((body) => JSON.stringify(body).includes(uuidOf(conversation.id)))
    .map((body) => body.event.type);
}

describe('conversations', () => {
  test('creating one fires Conversation.created alone, with what REST shows', async () => {
    const conversation = await converse(['bob'], { topic: 'webhooks' });
    const isIts = (body: Json) => body.conversation?.id === conversation.id;
    const body = await waitFor(hook, 'the notification arrives', ofType('Conversation.created', isIts));
    expect(body).toEqual({
      event: { id: expect.any(String), type: 'Conversation.created', created_at: expect.any(String) },
      actor: basic('ada'),
      config,
      conversation: await fromServer(of(conversation)),
    });
    await say(conversation, 'afterwards');
    await waitFor(
      hook,
      'the message comes',
      ofType('Message.created', (b) => b.message.conversation.id === conversation.id),
    );
    expect(eventsOf(conversation).sort()).toEqual(['Conversation.created', 'Message.created']);
  });

  test('changes of metadata and of participants are separate notifications', async () => {
    const conversation = await converse(['bob']);
    const patch = (body: object[]) => ada.call('PATCH', of(conversation), 204, { body });
    await patch([{ operation: 'set', property: 'metadata.a', value: 'b' }]);
    const isIts = (body: Json) => body.conversation?.id === conversation.id;
    const updated = await waitFor(hook, 'metadata', ofType('Conversation.updated', isIts));
    expect(updated.conversation).toMatchObject({ metadata: { a: 'b' }, last_message: null });
    await patch([{ operation: 'add', property: 'participants', id: 'cem' }]);
    const added = await waitFor(hook, 'the joining', ofType('Participation.created', isIts));
    expect(added).toEqual({
      event: { id: expect.any(String), type: 'Participation.created', created_at: expect.any(String) },
      actor: basic('ada'),
      config,
      changes: [basic('cem')],
      conversation: reference('conversations', conversation.id, of(conversation)),
    });
    await patch([{ operation: 'remove', property: 'participants', id: 'cem' }]);
    const removed = await waitFor(hook, 'the leaving', ofType('Participation.deleted', isIts));
    expect(removed.changes).toEqual([basic('cem')]);
  });

  test('only a deletion for all makes a notification', async () => {
    const conversation = await converse(['bob']);
    await bob.call('DELETE', `${of(conversation)}?mode=my_devices`, 204);
    await ada.call('DELETE', `${of(conversation)}?mode=all_participants`, 204);
    const isIts = (body: Json) => body.conversation?.id === conversation.id;
    const body = await waitFor(hook, 'the notification arrives', ofType('Conversation.deleted', isIts));
    expect(body).toMatchObject({
      actor: basic('ada'),
      conversation: { participants: [basic('ada'), basic('bob')] },
    });
    expect(eventsOf(conversation).sort()).toEqual(['Conversation.created', 'Conversation.deleted']);
  });
});

describe('messages', () => {
  test('look as in the REST API for servers', async () => {
    const conversation = await converse(['bob', 'cem']);
    const message = await say(conversation, 'hello');
    const isIts = (body: Json) => body.message?.id === message.id;
    const body = await waitFor(hook, 'the notification arrives', ofType('Message.created', isIts));
    expect(body.actor).toEqual(basic('ada'));
    expect(body.message).toEqual(await fromServer(`${of(conversation)}/messages/${uuidOf(message.id)}`));
    expect(body.message.recipient_status).toEqual({
      'svc:///identities/ada': 'read',
      'svc:///identities/bob': 'sent',
      'svc:///identities/cem': 'sent',
    });
  });

  test('only a deletion for all makes a notification, with the message and its recipients’ statuses', async () => {
    const conversation = await converse(['bob']);
    const [hidden, gone] = [await say(conversation, 'hidden'), await say(conversation, 'gone')];
    await bob.call('POST', `/messages/${uuidOf(gone.id)}/receipts`, 204, { body: { type: 'read' } });
    await bob.call('DELETE', `/messages/${uuidOf(hidden.id)}?mode=my_devices`, 204);
    await ada.call('DELETE', `/messages/${uuidOf(gone.id)}?mode=all_participants`, 204);
    const body = await waitFor(
      hook,
      'the notification arrives',
      ofType('Message.deleted', (b) => b.message.id === gone.id),
    );
    expect(body.message).toMatchObject({
      parts: [{ body: 'gone' }],
      recipient_status: { 'svc:///identities/bob': 'read' },
    });
    expect(eventsOf(conversation).filter((type) => type === 'Message.deleted')).toHaveLength(1);
  });
});

describe('receipts', () => {
  test('make notifications of the message', async () => {
    const conversation = await converse(['bob']);
    const message = await say(conversation, 'received');
    for (const [type, name] of [
      ['delivery', 'Delivery'],
      ['read', 'Read'],
    ] as const) {
      await bob.call('POST', `/messages/${uuidOf(message.id)}/receipts`, 204, { body: { type } });
      const isIts = (body: Json) => body.message.id === message.id && body.receipt.type === name;
      const body = await waitFor(hook, `the ${type} receipt`, ofType('Receipt.created', isIts));
      expect(body).toMatchObject({
        actor: basic('bob'),
        config,
        receipt: { type: name, positions: { from: message.position, to: message.position } },
        message: reference('messages', message.id, `${of(conversation)}/messages/${uuidOf(message.id)}`),
        conversation: reference('conversations', conversation.id, of(conversation)),
      });
    }
  });

  test('make one notification for each message when all are marked as read', async () => {
    const conversation = await converse(['bob']);
    const messages = [
      await say(conversation, '1'),
      await say(conversation, '2'),
      await say(conversation, '3'),
    ];
    await ada.call('DELETE', `/messages/${uuidOf(messages[1].id)}?mode=all_participants`, 204);
    await bob.call('POST', `${of(conversation)}/mark_all_read`, 202, { body: { position: null } });
    for (const message of [messages[0], messages[2]]) {
      const isIts = (body: Json) => body.message.id === message.id;
      const body = await waitFor(hook, 'the receipt', ofType('Receipt.created', isIts));
      expect(body.receipt).toEqual({
        type: 'Read',
        positions: { from: message.position, to: message.position },
      });
      expect(body.actor).toEqual(basic('bob'));
    }
    expect(eventsOf(conversation).filter((type) => type === 'Receipt.created')).toHaveLength(2);
  });
});

test('messages that are all marked as delivered make one notification each', async () => {
  const conversation = await converse(['bob']);
  const messages = [await say(conversation, '1'), await say(conversation, '2')];
  await bob.call('POST', `${of(conversation)}/mark_all_delivered`, 202);
  for (const message of messages) {
    const isIts = (body: Json) => body.message.id === message.id;
    const body = await waitFor(hook, 'the receipt', ofType('Receipt.created', isIts));
    const positions = { from: message.position, to: message.position };
    expect(body).toMatchObject({ receipt: { type: 'Delivery', positions }, actor: basic('bob') });
  }
});

describe('identities', () => {
  test('make notifications when they are created and changed', async () => {
    await app.server('POST', '/users/dora/identity', 201, { body: { display_name: 'dora' } });
    const isHers = (body: Json) => body.identity?.user_id === 'dora';
    const created = await waitFor(hook, 'the making', ofType('Identity.created', isHers));
    expect(created.identity).toEqual(await fromServer('/users/dora/identity'));
    await app.server('PATCH', '/users/dora/identity', 204, { body: { first_name: 'Dora' } });
    const updated = await waitFor(hook, 'the change', ofType('Identity.updated', isHers));
    expect(updated.identity).toMatchObject({ first_name: 'Dora' });
  });
});
