import pg from 'pg';
import { messagingUrl } from '../../support/messaging-database.ts';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform, postgresUrl } from '../../support/platform.ts';
import type { TestSocket } from '../../support/socket.ts';

let app: TestApp;
let ada: TestUser;
let socket: TestSocket;
let holder: pg.Client;

beforeAll(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
  await app.login('bob');
  socket = await ada.connect();
  holder = new pg.Client({ connectionString: await messagingUrl(postgresUrl, app.appUuid) });
  await holder.connect();
}, 60_000);
afterEach(() => holder.query('rollback'));
afterAll(async () => {
  await socket?.close();
  await holder?.end();
});

async function createConversation(): Promise<Json> {
  return (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
}

function say(conversation: Json, text: string) {
  return socket.request('Message.create', { object_id: conversation.id, data: { parts: [textPart(text)] } });
}

/** Locks a conversation as another transaction would. */
async function hold(conversation: Json): Promise<void> {
  await holder.query('begin');
  await holder.query('select from conversation where id = $1 for no key update', [uuidOf(conversation.id)]);
}

async function textsOf(conversation: Json): Promise<string[]> {
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  const { body } = await ada.call('GET', path, 200);
  return body.map(({ parts }: Json) => parts[0].body).reverse();
}

test('while one conversation is held, messages and receipts of others on the same socket are answered', async () => {
  const [held, ...quiet] = await Promise.all(Array.from({ length: 6 }, createConversation));
  const old = await say(held, 'old');
  await hold(held);
  let answered = 0;
  const note = (response: Json): Json => {
    answered += 1;
    return response;
  };
  const waiting = ['one', 'two', 'three'].map((text) => say(held, text).then(note));
  const bob = await app.login('bob');
  const receipt = (message: Json) =>
    bob.call('POST', `/messages/${uuidOf(message.id)}/receipts`, 204, { body: { type: 'read' } });
  const oldRead = receipt(old.data).then(note);
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(quiet.map((conversation) => say(conversation, `round ${round}`)));
    expect(responses.map(({ success }) => success)).toEqual(quiet.map(() => true));
    await Promise.all(responses.map(({ data }) => receipt(data)));
  }
  expect(answered).toBe(0);
  const later = say(held, 'four').then(note);
  await holder.query('commit');
  const responses = await Promise.all([...waiting, later]);
  expect(responses.map(({ success }) => success)).toEqual([true, true, true, true]);
  await oldRead;
  expect(await textsOf(held)).toEqual(['old', 'one', 'two', 'three', 'four']);
});

test('only messages of a conversation that stays held are refused, within their deadline', async () => {
  const [held, quiet] = await Promise.all([createConversation(), createConversation()]);
  await hold(held);
  const waiting = say(held, 'late');
  const sent = await say(quiet, 'in time');
  expect(sent.success).toBe(true);
  const refused = await waiting;
  expect(refused).toMatchObject({ success: false, data: { id: 'service_unavailable' } });
  await holder.query('commit');
  expect(await say(held, 'afterwards')).toMatchObject({ success: true });
  expect(await textsOf(held)).toEqual(['afterwards']);
});
