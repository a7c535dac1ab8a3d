import { randomUUID } from 'node:crypto';
import { memoryStorage, ParleyError, type Client, type Message } from '@parley/client';
import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
let grace: TestUser;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'outbox');
  grace = await app.login('grace');
  await app.login('eve');
});

/** The messages once there are so many, and all in this state. */
async function listed(client: Client, conversation: string, count: number, state = 'sent') {
  const fits = ({ items, status }: { items: readonly Message[]; status: string }): boolean =>
    status === 'ready' && items.length === count && items.every((message) => message.state === state);
  return (await shown(client.messages(conversation), fits, `${count} messages`)).items;
}

function textsOf(items: readonly Message[]): string[] {
  return items.map(({ text }) => text);
}

test('what was written offline survives a reload, and is sent in its order', async () => {
  const storage = memoryStorage();
  const before = open('ada', { storage, userId: 'ada' });
  await shown(before.connection, ({ status }) => status === 'online');
  before.disconnect();
  const conversation = await before.createConversation({ participants: ['grace'] });
  for (const text of ['one', 'two', 'three']) await conversation.send(text);
  await before.destroy();

  const after = open('ada', { storage, userId: 'ada' });
  after.disconnect();
  await listed(after, conversation.id, 3, 'sending');
  after.connect();
  await listed(after, conversation.id, 3);
  const { body } = await grace.call(
    'GET',
    `/conversations/${conversation.id.split('/').pop()}/messages`,
    200,
  );
  expect(body.map((one: { parts: { body: string }[] }) => one.parts[0]?.body)).toEqual([
    'three',
    'two',
    'one',
  ]);
});

test('a distinct conversation that was made offline becomes the one that exists', async () => {
  const existing = await grace.call('POST', '/conversations', 201, {
    body: { participants: ['ada'], distinct: true },
  });
  const client = open('ada', { userId: 'ada' });
  await shown(client.connection, ({ status }) => status === 'online');
  client.disconnect();
  const made = await client.createConversation({ participants: ['grace'], distinct: true });
  expect(made.id).not.toBe(existing.body.id);
  const sent = await made.send('Hello again');
  client.connect();
  expect((await sent.settled()).conversationId).toBe(existing.body.id);
  expect(textsOf(await listed(client, made.id, 1))).toEqual(['Hello again']);
  const { items } = client.conversations().getSnapshot();
  expect(items.filter(({ distinct }) => distinct).map(({ id }) => id)).toEqual([existing.body.id]);
});

test('a refused message waits for the user, and later ones are sent', async () => {
  const client = open('ada');
  const conversation = await client.createConversation({ participants: ['grace'] });
  const refusals: string[] = [];
  client.on('failed', ({ error }) => refusals.push(error.id));
  const tooLong = await conversation.send('x'.repeat(70_000));
  const fine = await conversation.send('short');
  await expect(tooLong.settled()).rejects.toBeInstanceOf(ParleyError);
  expect((await fine.settled()).position).toBe(1);
  const list = await shown(client.messages(conversation.id), ({ items }) => items.length === 2);
  const refused = list.items.find(({ state }) => state === 'failed');
  expect([refused?.error?.id, refusals]).toEqual(['invalid_property', ['invalid_property']]);
  await refused?.retry();
  await shown(client.messages(conversation.id), () => refusals.length === 2, 'another refusal');
  const again = client
    .messages(conversation.id)
    .getSnapshot()
    .items.find(({ state }) => state === 'failed');
  await again?.discard();
  expect(textsOf(await listed(client, conversation.id, 1))).toEqual(['short']);
});

test('an id that another message has is no success', async () => {
  const client = open('ada');
  const conversation = await client.createConversation({ participants: ['grace'] });
  await (await conversation.send('first')).settled();
  const [first] = await listed(client, conversation.id, 1);
  const other = await client.createConversation({ participants: ['eve'] });
  await (await other.send('second')).settled();
  await expect(
    client.request('POST', `/conversations/${other.id.split('/').pop()}/messages`, {
      body: { id: first?.id, parts: [{ mime_type: 'text/plain', body: 'third' }] },
    }),
  ).rejects.toMatchObject({ id: 'id_in_use', status: 409 });
});

test('a message that is sent twice under an id of the application is stored once', async () => {
  const client = open('ada');
  const conversation = await client.createConversation({ participants: ['grace'] });
  const id = randomUUID();
  client.disconnect();
  const [first, again] = [await conversation.send('one', { id }), await conversation.send('one', { id })];
  expect([first.id.endsWith(id), again.id]).toEqual([true, first.id]);
  client.connect();
  await first.settled();
  await (await conversation.send('other', { id })).settled();
  expect(textsOf(await listed(client, conversation.id, 1))).toEqual(['one']);
});

test('what the user does is shown before the network answers, and stays', async () => {
  const client = open('ada', { userId: 'ada' });
  const conversation = await client.createConversation({ participants: ['grace'], metadata: { topic: 'a' } });
  await (await conversation.send('one')).settled();
  const messages = client.messages(conversation.id);
  const { items } = await shown(messages, (list) => list.items[0]?.state === 'sent');
  client.disconnect();
  await conversation.setMetadata(['topic'], 'b');
  await conversation.addParticipants(['eve']);
  await items[0]?.edit('two');
  const query = client.conversation(conversation.id);
  const state = () => {
    const now = query.getSnapshot();
    return [
      now?.metadata,
      now?.participants.map(({ user_id }) => user_id).sort(),
      textsOf(messages.getSnapshot().items),
    ];
  };
  const wanted = [{ topic: 'b' }, ['ada', 'eve', 'grace'], ['two']];
  const seen = [state()];
  for (const one of [query, messages]) one.subscribe(() => seen.push(state()));
  client.connect();
  const url = `/conversations/${conversation.id.split('/').pop()}`;
  // The packet that adds Eve brings her name.
  const isNamed = () =>
    query.getSnapshot()?.participants.some(({ display_name }) => display_name === 'eve') || undefined;
  await until('the packet adds Eve', isNamed);
  const isEdited = () => (messages.getSnapshot().items[0]?.parts[0]?.url !== '' ? true : undefined);
  await until('the platform has the edit', isEdited);
  for (const one of seen) expect(one).toEqual(wanted);
  const { body } = await grace.call('GET', url, 200);
  expect([body.metadata, body.participants.length]).toEqual([{ topic: 'b' }, 3]);
});

test('a receipt that waits already is not given twice', async () => {
  const receipts: string[] = [];
  const counted: typeof fetch = (input, init) => {
    if (String(input).endsWith('/receipts')) receipts.push(String(init?.body));
    return fetch(input, init);
  };
  const client = open('ada', { fetch: counted, deliveryReceipts: false });
  const conversation = await client.createConversation({ participants: ['grace'] });
  await (await conversation.send('one')).settled();
  const path = `/conversations/${conversation.id.split('/').pop()}/messages`;
  await grace.call('POST', path, 201, { body: { parts: [{ mime_type: 'text/plain', body: 'two' }] } });
  const query = client.conversation(conversation.id);
  const received = await shown(query, (one) => one?.lastMessage?.text === 'two');
  client.disconnect();
  // Some applications confirm a message each time that it is shown.
  for (let time = 0; time < 3; time++) await received!.lastMessage!.markDelivered();
  await query.getSnapshot()!.lastMessage!.markDelivered();
  for (let time = 0; time < 2; time++) await received!.lastMessage!.markRead();
  const last = await conversation.send('three');
  client.connect();
  await last.settled();
  expect(receipts.map((body) => (JSON.parse(body) as { type: string }).type)).toEqual(['delivery', 'read']);
});

test('reading up to one’s own message that waits marks what was before it, also after the reconnection', async () => {
  const client = open('ada');
  const conversation = await client.createConversation({ participants: ['grace'] });
  await (await conversation.send('one')).settled();
  const path = `/conversations/${conversation.id.split('/').pop()}`;
  await grace.call('POST', `${path}/messages`, 201, {
    body: { parts: [{ mime_type: 'text/plain', body: 'two' }] },
  });
  const query = client.conversation(conversation.id);
  const received = await shown(query, (one) => one?.unreadCount === 1);
  client.disconnect();
  const own = await received!.send('three');
  await received!.markRead(own);
  expect(query.getSnapshot()?.unreadCount).toBe(0);
  client.connect();
  await own.settled();
  const ada = await app.login('ada');
  await until('the platform has it', async () => {
    const { body } = await ada.call('GET', path, 200);
    return body.unread_message_count === 0 || undefined;
  });
  expect(query.getSnapshot()?.unreadCount).toBe(0);
});

test('what is written after the clock of the device was set back stands behind what was written before', async () => {
  const storage = memoryStorage();
  const client = open('ada', { storage, userId: 'ada' });
  client.disconnect();
  const conversation = await client.createConversation({ participants: ['grace'] });
  await conversation.send('one');
  await client.destroy();
  // As the device left it when its clock was three hours ahead.
  const store = await storage.open(`parley/${app.appId.split('/').pop()}/ada`);
  for (const row of await store.list('operations', { group: '' })) {
    const operation = row.value as { order: number };
    const value = { ...operation, order: operation.order + 3 * 60 * 60 * 1000 };
    await store.write([{ kind: 'put', table: 'operations', row: { ...row, value } }]);
  }
  const after = open('ada', { storage, userId: 'ada' });
  const again = await shown(after.conversation(conversation.id), (one) => one !== undefined);
  await again!.send('two');
  expect(textsOf(await listed(after, conversation.id, 2))).toEqual(['one', 'two']);
});
