import { memoryStorage, type Client, type Message } from '@parley/client';
import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
let grace: TestUser;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'files');
  grace = await app.login('grace');
});

const image = (text: string) => new File([text], 'cat.png', { type: 'image/png' });

/** The messages of a conversation as another user reads them, the oldest first. */
async function readBy({ call }: TestUser, conversation: string) {
  const { body } = await call('GET', `/conversations/${conversation.split('/').pop()}/messages`, 200);
  return (body as { parts: { mime_type: string; body: string | null; filename?: string }[] }[])
    .toReversed()
    .map(({ parts }) => parts.map((part) => part.body ?? part.filename));
}

const lastOf = (client: Client, id: string) => client.conversation(id).getSnapshot()?.lastMessage;
const stateIs = (state: string) => (message: Message | undefined) => message?.state === state;

/** The newest message of a conversation once it is in a state. */
async function lastIn(client: Client, id: string, state: string): Promise<Message> {
  const query = client.conversation(id);
  const conversation = await shown(query, (one) => stateIs(state)(one?.lastMessage), `a message ${state}`);
  return conversation!.lastMessage!;
}

test('files are shown at once by a local preview, and sent with their message in its place', async () => {
  const client = open('ada');
  const conversation = await client.createConversation({ participants: ['grace'] });
  const file = image('a cat');
  const sent = await conversation.send({ text: 'Look', files: [file, image('another')] });
  await conversation.send('Nice, isn’t it?');
  expect(sent.parts.map(({ mime_type }) => mime_type)).toEqual(['text/plain', 'image/png', 'image/png']);
  const preview = await client.downloads.url(sent.parts[1]!.content!);
  expect(preview).toMatch(/^blob:/);
  expect(await (await client.downloads.blob(sent.parts[1]!.content!)).text()).toBe('a cat');
  const settled = await sent.settled();
  expect(await client.downloads.url(settled.parts[1]!.content!)).toBe(preview);
  expect(client.uploads.getSnapshot().items).toEqual([]);
  await lastIn(client, conversation.id, 'sent');
  expect(await readBy(grace, conversation.id)).toEqual([['Look', 'cat.png', 'cat.png'], ['Nice, isn’t it?']]);
});

test('a file that was sent offline is uploaded after a reload, and its message then sent', async () => {
  const storage = memoryStorage();
  const before = open('ada', { storage, userId: 'ada' });
  before.disconnect();
  const conversation = await before.createConversation({ participants: ['grace'] });
  await conversation.send({ files: [image('kept')] });
  await before.destroy();
  const after = open('ada', { storage, userId: 'ada' });
  after.disconnect();
  const waiting = await lastIn(after, conversation.id, 'sending');
  expect(await (await after.downloads.blob(waiting.parts[0]!.content!)).text()).toBe('kept');
  after.connect();
  const sent = await lastIn(after, conversation.id, 'sent');
  expect(await readBy(grace, sent.conversationId)).toEqual([['cat.png']]);
});

test('a refused file fails its message, which is sent once it is tried again', async () => {
  let isRefusing = true;
  const refusing: typeof fetch = (input, init) =>
    isRefusing && String(input).endsWith('/content')
      ? Promise.resolve(Response.json({ id: 'invalid_property', code: 104 }, { status: 422 }))
      : fetch(input, init);
  const client = open('ada', { fetch: refusing });
  const conversation = await client.createConversation({ participants: ['grace'] });
  await conversation.send({ text: 'Look', files: [image('refused')] });
  const later = await conversation.send('later');
  const list = client.messages(conversation.id);
  const failed = await shown(list, ({ items }) => items[0]?.state === 'failed', 'a refused message');
  await later.settled();
  isRefusing = false;
  await failed.items[0]!.retry();
  await until('both are sent', async () => (await readBy(grace, conversation.id)).length === 2 || undefined);
  expect(await readBy(grace, conversation.id)).toEqual([['later'], ['Look', 'cat.png']]);
});

test('a message that is discarded while its file is on its way is not sent, and leaves nothing behind', async () => {
  const storage = memoryStorage();
  const client = open('ada', { storage, userId: 'ada' });
  client.disconnect();
  const conversation = await client.createConversation({ participants: ['grace'] });
  const message = await conversation.send({ files: [image('dropped')] });
  await message.discard();
  expect(lastOf(client, conversation.id)).toBeUndefined();
  const store = await storage.open(`parley/${app.appId.split('/').pop()}/ada`);
  const left = await store.list('uploads', { group: '' });
  expect(left).toEqual([]);
});

test('receipts wait for no file', async () => {
  const client = open('ada', {
    fetch: (input, init) =>
      String(input).endsWith('/content') ? new Promise(() => undefined) : fetch(input, init),
  });
  const conversation = await client.createConversation({ participants: ['grace'] });
  await (await conversation.send('one')).settled();
  const path = `/conversations/${conversation.id.split('/').pop()}`;
  const body = { parts: [{ mime_type: 'text/plain', body: 'two' }] };
  await grace.call('POST', `${path}/messages`, 201, { body });
  const received = await shown(client.conversation(conversation.id), (one) => one?.unreadCount === 1);
  await received!.send({ files: [image('slow')] });
  await received!.markRead();
  const ada = await app.login('ada');
  await until('the platform has the receipt', async () => {
    const answer = await ada.call('GET', path, 200);
    return answer.body.unread_message_count === 0 || undefined;
  });
});

test('an edit keeps the parts that it is not given', async () => {
  const client = open('ada');
  const conversation = await client.createConversation({ participants: ['grace'] });
  const message = await (await conversation.send({ text: 'Look', files: [image('kept')] })).settled();
  await message.edit('Look here');
  const shownTo = () => readBy(grace, conversation.id);
  await until('the edit', async () => (await shownTo())[0]?.[0] === 'Look here' || undefined);
  expect(await shownTo()).toEqual([['Look here', 'cat.png']]);
  await message.edit({ parts: [{ mime_type: 'text/plain', body: 'P.S.' }] });
  await until('the addition', async () => (await shownTo())[0]?.length === 3 || undefined);
  expect(await shownTo()).toEqual([['Look here', 'cat.png', 'P.S.']]);
});

test('a message of another user is an event, once in each client, and shows who has read', async () => {
  const client = open('ada');
  const events: string[] = [];
  client.on('message', ({ text }) => events.push(text));
  const conversation = await client.createConversation({ participants: ['grace'] });
  const own = await (await conversation.send('one')).settled();
  const path = `/conversations/${conversation.id.split('/').pop()}`;
  const reads = conversation.reads();
  await grace.call('POST', `${path}/mark_all_read`, 202);
  const seen = await shown(reads, ([one]) => one?.position === 1, 'a reader');
  expect(seen).toEqual([
    { reader: expect.objectContaining({ user_id: 'grace' }), message: own.id, position: 1 },
  ]);
  const say = (body: string) =>
    grace.call('POST', `${path}/messages`, 201, { body: { parts: [{ mime_type: 'text/plain', body }] } });
  await say('two');
  client.disconnect();
  await say('three');
  client.connect();
  await until('both events', () => events.length === 2 || undefined);
  await shown(reads, ([one]) => one?.position === 3, 'what Grace wrote');
  expect(events).toEqual(['two', 'three']);
});
