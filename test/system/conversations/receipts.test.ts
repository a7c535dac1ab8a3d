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

describe('receipts', () => {
  const receipt = (user: TestUser, message: Json, type: unknown, expected = 204) =>
    user.call('POST', `${messagePath(message)}/receipts`, expected, { body: { type } });
  const status = async (message: Json) =>
    (await ada.call('GET', messagePath(message), 200)).body.recipient_status;

  test('delivery, then read; a delivery after a read changes nothing', async () => {
    const message = await say(ada, 'hi');
    await receipt(bob, message, 'delivery');
    expect(await status(message)).toMatchObject({ [bob.uri]: 'delivered', [cem.uri]: 'sent' });
    await receipt(bob, message, 'read');
    await receipt(bob, message, 'delivery');
    expect(await status(message)).toMatchObject({ [bob.uri]: 'read', [cem.uri]: 'sent' });
  });

  test('a read receipt is for that message alone, and counts once', async () => {
    const [one, two, three] = [await say(ada, '1'), await say(ada, '2'), await say(ada, '3')];
    expect(await unread(bob)).toBe(3);
    await receipt(bob, two, 'read');
    await receipt(bob, two, 'read');
    expect(await unread(bob)).toBe(2);
    await receipt(bob, one, 'read');
    await receipt(bob, three, 'read');
    expect(await unread(bob)).toBe(0);
    expect((await bob.call('GET', messagePath(two), 200)).body.is_unread).toBe(false);
  });

  test('a receipt on one’s own message has no effect', async () => {
    const message = await say(ada, 'mine');
    await receipt(ada, message, 'read');
    expect(await status(message)).toEqual({ [ada.uri]: 'read', [bob.uri]: 'sent', [cem.uri]: 'sent' });
  });

  test.each([['seen'], [null], [7]])('type %j is refused', async (type) => {
    const message = await say(ada, 'hi');
    const { body } = await receipt(bob, message, type, 422);
    expect(body.data.property).toBe('type');
  });

  test('mark all read reaches up to a position', async () => {
    for (const text of ['1', '2', '3', '4']) await say(ada, text);
    const path = `/conversations/${uuidOf(conversation.id)}/mark_all_read`;
    expect((await bob.call('POST', path, 202, { body: { position: 3 } })).body).toEqual({ position: 3 });
    expect(await unread(bob)).toBe(1);
    expect((await bob.call('POST', path, 202, { body: { position: null } })).body).toEqual({ position: 4 });
    expect(await unread(bob)).toBe(0);
  });

  test('mark all delivered reaches up to a position, and leaves read and unread messages what they are', async () => {
    const messages: Json[] = [];
    for (const text of ['1', '2', '3']) messages.push(await say(ada, text));
    await receipt(bob, messages[0], 'read');
    const path = `/conversations/${uuidOf(conversation.id)}/mark_all_delivered`;
    const statuses = async () =>
      Promise.all(messages.map(async (message) => (await status(message))[bob.uri]));
    expect((await bob.call('POST', path, 202, { body: { position: 2 } })).body).toEqual({ position: 2 });
    expect(await statuses()).toEqual(['read', 'delivered', 'sent']);
    expect((await bob.call('POST', path, 202)).body).toEqual({ position: 3 });
    expect((await bob.call('POST', path, 202, { body: { position: null } })).body).toEqual({ position: 3 });
    expect(await statuses()).toEqual(['read', 'delivered', 'delivered']);
    expect(await unread(bob)).toBe(2);
    const { body } = await bob.call('POST', path, 422, { body: { position: '3' } });
    expect(body.data.property).toBe('position');
  });

  test('a message that does not exist is 404 with an empty body', async () => {
    const answer = await bob.call('POST', `/messages/${randomUUID()}/receipts`, 404, {
      body: { type: 'read' },
    });
    expect(answer.text).toBe('');
  });
});
