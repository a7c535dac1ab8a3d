import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';

// docs/protocol/conversations.md#history-of-newcomers

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob, eve] = [await app.login('ada'), await app.login('bob'), await app.login('eve')];
});

type Room = { path: string; id: string; messages: Json[] };

async function createRoom(): Promise<Room> {
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  const path = `/conversations/${uuidOf(body.id)}`;
  const messages = [];
  for (const text of ['one', 'two']) messages.push(await say(ada, path, text));
  return { path, id: body.id, messages };
}

async function say(user: TestUser, path: string, text: string): Promise<Json> {
  return (await user.call('POST', `${path}/messages`, 201, { body: { parts: [textPart(text)] } })).body;
}

function add(id: string, more: Json = {}): Json {
  return { body: [{ operation: 'add', property: 'participants', id, ...more }] };
}

async function textsOf(user: TestUser, { path }: Pick<Room, 'path'>): Promise<string[]> {
  const { body, headers } = await user.call('GET', `${path}/messages`, 200);
  const { body: shown } = await user.call('GET', path, 200);
  expect([headers['svc-count'], shown.total_message_count]).toEqual([String(body.length), body.length]);
  expect(shown.last_message?.id).toBe(body[0]?.id);
  return body.map(({ parts }: Json) => parts[0].body);
}

/** Waits until a later packet has come, so that one before it would have. */
async function packetsUntil(socket: TestSocket, path: string, text: string): Promise<Json[]> {
  await say(ada, path, text);
  await socket.waitFor(
    text,
    (packet) => isChange('create', 'Message')(packet) && packet.body.data.parts[0].body === text,
  );
  return socket.packets.filter(({ type }) => type === 'change').map(({ body }) => body);
}

test('a user who is added without the history begins with nothing, on a socket as by REST', async () => {
  const room = await createRoom();
  const socket = await eve.connect({ subprotocol: 'svc-3.1' });
  await ada.call('PATCH', room.path, 204, add('eve', { history: 'none' }));
  const { body } = await socket.waitFor('the conversation', isChange('create', 'Conversation', room.id));
  expect(body.data).toMatchObject({ last_message: null, unread_message_count: 0, total_message_count: 0 });
  const [first, second] = room.messages;
  await ada.call('PUT', `/messages/${uuidOf(first.id)}/parts`, 200, { body: [textPart('edited')] });
  await ada.call('DELETE', `/messages/${uuidOf(second.id)}?mode=all_participants`, 204);
  const packets = await packetsUntil(socket, room.path, 'three');
  expect(JSON.stringify(packets)).not.toContain(uuidOf(first.id));
  expect(JSON.stringify(packets)).not.toContain(uuidOf(second.id));
  expect(await textsOf(eve, room)).toEqual(['three']);
  await socket.close();
});

test('what a newcomer does not see is gone for each operation, also by a server that acts as them', async () => {
  const room = await createRoom();
  await ada.call('PATCH', room.path, 204, add('eve', { history: 'none' }));
  const [{ id }] = room.messages;
  const message = `/messages/${uuidOf(id)}`;
  const operations: [method: string, path: string, body?: Json][] = [
    ['GET', message],
    ['GET', `${message}/parts`],
    ['POST', `${message}/receipts`, { type: 'read' }],
    ['POST', `${message}/receipts`, { type: 'delivery' }],
    ['PUT', `${message}/parts`, [textPart('mine')]],
    ['DELETE', `${message}?mode=my_devices`],
    ['DELETE', `${message}?mode=all_participants`],
  ];
  for (const [method, path, body] of operations) {
    await eve.call(method, path, 404, body && { body });
    await app.server(method, `/users/eve${path}`, 404, body && { body });
  }
  expect((await eve.call('GET', `${room.path}/messages?from_id=${uuidOf(id)}`, 422)).body.data.property).toBe(
    'from_id',
  );
  const socket = await eve.connect();
  const answer = await socket.request('Receipt.create', { object_id: id, data: { type: 'read' } });
  expect([answer.success, answer.data.id]).toEqual([false, 'not_found']);
  await socket.close();
  const conflict = await eve.call('POST', `${room.path}/messages`, 409, {
    body: { id, parts: [textPart('x')] },
  });
  expect(conflict.body.data).toBeNull();
  expect(await textsOf(bob, room)).toEqual(['two', 'one']);
});

test('a server shows the history later, and a user may not', async () => {
  const room = await createRoom();
  const socket = await eve.connect();
  await ada.call('PATCH', room.path, 204, add('eve', { history: 'none' }));
  await socket.waitFor('the addition', isChange('create', 'Conversation', room.id));
  const step = { body: [{ operation: 'set', property: 'history.eve', value: 'all' }] };
  expect((await ada.call('PATCH', room.path, 403, step)).body.id).toBe('access_denied');
  await app.server('PATCH', `/users/ada${room.path}`, 403, step);
  await app.server('PATCH', room.path, 204, step);
  const { body } = await socket.waitFor(
    'the conversation with its history',
    (packet) =>
      isChange('create', 'Conversation', room.id)(packet) && packet.body.data.total_message_count === 2,
  );
  expect(body.data.unread_message_count).toBe(0);
  expect(await textsOf(eve, room)).toEqual(['two', 'one']);
  const count = socket.packets.length;
  await app.server('PATCH', room.path, 204, step);
  const packets = await packetsUntil(socket, room.path, 'three');
  expect(
    packets.filter(({ operation, object }) => operation === 'create' && object.type === 'Conversation'),
  ).toHaveLength(2);
  expect(socket.packets.length).toBeGreaterThan(count);
  await socket.close();
});

test('a replay has nothing of the time before', async () => {
  const began = new Date(Date.now() - 5_000).toISOString();
  const room = await createRoom();
  await bob.call('PATCH', room.path, 204, add('eve', { history: 'none' }));
  await ada.call('DELETE', `/messages/${uuidOf(room.messages[0].id)}?mode=all_participants`, 204);
  await say(ada, room.path, 'three');
  const socket = await eve.connect({ subprotocol: 'svc-3.1' });
  const { success } = await socket.request('Event.replay', { data: { from_timestamp: began } });
  expect(success).toBe(true);
  const replayed = socket.changes('Message').filter(({ data }) => data.conversation?.id === room.id);
  expect(replayed.map(({ operation, data }) => [operation, data.parts[0].body])).toEqual([
    ['create', 'three'],
  ]);
  for (const { id } of room.messages) expect(JSON.stringify(socket.packets)).not.toContain(uuidOf(id));
  await socket.close();
});

test('coming back follows the history of the return, by a socket and with set as well', async () => {
  const room = await createRoom();
  await ada.call('PATCH', room.path, 204, {
    body: [{ operation: 'remove', property: 'participants', id: 'bob' }],
  });
  await say(ada, room.path, 'three');
  const socket = await ada.connect();
  const data = [
    { operation: 'set', property: 'participants', value: ['ada', 'bob', 'eve'], history: 'none' },
  ];
  expect((await socket.request('Conversation.update', { object_id: room.id, data })).success).toBe(true);
  await socket.close();
  await say(ada, room.path, 'four');
  expect(await textsOf(bob, room)).toEqual(['four', 'two', 'one']);
  expect(await textsOf(eve, room)).toEqual(['four']);
  expect(await textsOf(ada, room)).toEqual(['four', 'three', 'two', 'one']);
  const added = await app.server('GET', room.path, 200);
  expect(JSON.stringify(added.body)).not.toContain('history');
});

test.each([
  [add('eve', { history: 'some' }), '0.history'],
  [add('eve', { history: true }), '0.history'],
  [{ body: [{ operation: 'set', property: 'history.eve', value: 'none' }] }, '0.value'],
  [{ body: [{ operation: 'set', property: 'history.eve' }] }, '0.value'],
  [{ body: [{ operation: 'delete', property: 'history.eve' }] }, '0.operation'],
  [{ body: [{ operation: 'set', property: 'history', value: 'all' }] }, '0.property'],
  [{ body: [{ operation: 'set', property: 'history.a.b', value: 'all' }] }, '0.property'],
  [{ body: [{ operation: 'set', property: 'history.stranger', value: 'all' }] }, 'history'],
])('a step that is none is refused: %j', async (step: Json, property) => {
  const { path } = await createRoom();
  expect((await app.server('PATCH', path, 422, step)).body.data.property).toBe(property);
});

test('a user id with dots is named with escapes', async () => {
  await app.login('e.v.e');
  const room = await createRoom();
  await ada.call('PATCH', room.path, 204, add('e.v.e', { history: 'none' }));
  const step = { body: [{ operation: 'set', property: 'history.e\\.v\\.e', value: 'all' }] };
  await app.server('PATCH', room.path, 204, step);
  expect((await app.server('GET', `/users/e.v.e${room.path}`, 200)).body.total_message_count).toBe(2);
});
