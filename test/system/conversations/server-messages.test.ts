import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let cem: TestUser;
let conversation: Json;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob, cem] = await Promise.all([app.login('ada'), app.login('bob'), app.login('cem')]);
});

beforeEach(async () => {
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob', 'cem'] } }))
    .body;
});

function messagesPath() {
  return `/conversations/${uuidOf(conversation.id)}/messages`;
}
async function send(user: TestUser, body: object, expected = 201) {
  return (await user.call('POST', messagesPath(), expected, { body })).body;
}
function say(user: TestUser, text: string) {
  return send(user, { parts: [textPart(text)] });
}
function messagePath(message: { id: string }) {
  return `/messages/${uuidOf(message.id)}`;
}
async function unread(user: TestUser) {
  return (await user.call('GET', `/conversations/${uuidOf(conversation.id)}`, 200)).body.unread_message_count;
}

describe('the server API', () => {
  const path = () => `/conversations/${uuidOf(conversation.id)}/messages`;

  test('sends for a participant and gives the server’s view', async () => {
    const { body } = await app.server('POST', path(), 201, {
      body: { sender_id: ada.uri, parts: [textPart('from a server')] },
    });
    expect(body).toMatchObject({
      url: `${app.baseUrl}/apps/${app.appUuid}${path()}/${uuidOf(body.id)}`,
      receipts_url: null,
      is_unread: null,
      received_at: null,
      sender: { user_id: 'ada' },
      recipient_status: { [ada.uri]: 'read', [bob.uri]: 'sent', [cem.uri]: 'sent' },
    });
    expect((await app.server('GET', `${path()}/${uuidOf(body.id)}`, 200)).body).toEqual(body);
    const list = await app.server('GET', path(), 200);
    expect(list.body).toEqual([body]);
    expect(list.headers['svc-count']).toBe('1');
  });

  test('a bot that does not take part may send; another outsider may not', async () => {
    await app.server('POST', '/users/robot/identity', 201, { body: { display_name: 'Robot', type: 'bot' } });
    await app.server('POST', path(), 201, {
      body: { sender_id: 'svc:///identities/robot', parts: [textPart('beep')] },
    });
    await app.login('outsider');
    const { body } = await app.server('POST', path(), 422, {
      body: { sender_id: 'outsider', parts: [textPart('x')] },
    });
    expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'sender_id' } });
    const unknown = await app.server('POST', path(), 404, {
      body: { sender_id: 'who', parts: [textPart('x')] },
    });
    expect(unknown.body.id).toBe('not_found');
  });

  test.each([[{ name: 'Ada' }], [{ user_id: 'ada' }], [{ name: 'Ada', user_id: 'ada' }]])(
    'sender %j is refused',
    async (sender) => {
      const { body } = await app.server('POST', path(), 422, {
        body: { sender, sender_id: ada.uri, parts: [textPart('x')] },
      });
      expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'sender' } });
    },
  );

  test('If-None-Match sets the id, and a repeat creates no second message', async () => {
    const id = randomUUID();
    const options = {
      headers: { 'if-none-match': id },
      body: { sender_id: ada.uri, parts: [textPart('x')] },
    };
    expect((await app.server('POST', path(), 201, options)).body.id).toBe(`svc:///messages/${id}`);
    expect((await app.server('POST', path(), 409, options)).body).toMatchObject({
      id: 'id_in_use',
      data: { id: `svc:///messages/${id}` },
    });
    await app.server('POST', path(), 400, { ...options, headers: { 'if-none-match': 'nope' } });
  });

  test('acts for a user under the user’s path, with addresses of that form', async () => {
    const message = await say(ada, 'hi');
    const base = `${app.baseUrl}/apps/${app.appUuid}/users/bob`;
    const { body } = await app.server('GET', `/users/bob${messagesPath()}`, 200);
    expect(body[0]).toMatchObject({ id: message.id, url: `${base}${messagePath(message)}`, is_unread: true });
    await app.server('POST', `/users/bob${messagePath(message)}/receipts`, 204, { body: { type: 'read' } });
    expect(await unread(bob)).toBe(0);
    const sent = await app.server('POST', `/users/bob${messagesPath()}`, 201, {
      body: { parts: [textPart('as bob')] },
    });
    expect(sent.body.sender.user_id).toBe('bob');
    expect((await app.server('GET', '/users/who-is-this/conversations', 404)).body.id).toBe('not_found');
  });

  test('creates, reads, changes and deletes conversations', async () => {
    const { body } = await app.server('POST', '/conversations', 201, {
      body: { participants: ['ada', 'bob'], metadata: { a: 'b' } },
    });
    expect(body).toMatchObject({
      unread_message_count: null,
      total_message_count: null,
      last_message: null,
      metadata: { a: 'b' },
    });
    const one = `/conversations/${uuidOf(body.id)}`;
    expect((await app.server('GET', one, 200)).body).toEqual(body);
    await app.server('PATCH', one, 204, { body: [{ operation: 'set', property: 'metadata.a', value: 'c' }] });
    expect((await app.server('GET', one, 200)).body.metadata).toEqual({ a: 'c' });
    const list = await app.server('GET', '/conversations?page_size=1', 200);
    expect(list.body[0].id).toBe(body.id);
    await app.server('DELETE', one, 204);
    await app.server('GET', one, 410);
    await app.server('DELETE', one, 204);
    await app.server('GET', `/conversations/${randomUUID()}`, 404);
  });

  test('a token of another app gets 404', async () => {
    const other = await createApp(app.platform, 'other');
    const { body } = await other.server('GET', path(), 404);
    expect(body.id).toBe('not_found');
  });
});
