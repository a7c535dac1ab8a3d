import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import type { Packet, TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let stranger: TestUser;
let conversation: Json;
let message: Json;
let sockets: TestSocket[];

beforeAll(async () => {
  app = await createApp(await platform());
  const names = ['ada', 'b.o.b', 'eve', 'stranger'];
  [ada, bob, eve, stranger] = (await Promise.all(names.map((name) => app.login(name)))) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
});
beforeEach(async () => {
  sockets = [];
  const participants = [bob.id, eve.id];
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants } })).body;
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  message = (await ada.call('POST', path, 201, { body: { parts: [textPart('one')] } })).body;
});
afterEach(async () => {
  await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => socket.close()));
});

function path(key?: string) {
  const base = `/messages/${uuidOf(message.id)}`;
  return key === undefined ? base : `${base}/reactions/${encodeURIComponent(key)}`;
}
const serverPath = () => `/conversations/${uuidOf(conversation.id)}${path()}`;
async function read(user: TestUser) {
  return (await user.call('GET', path(), 200)).body;
}
async function connect(user: TestUser, subprotocol?: 'svc-3.0' | 'svc-3.1' | 'svc-4.0') {
  const socket = await user.connect(subprotocol ? { subprotocol } : {});
  sockets.push(socket);
  return socket;
}
function stepsOf({ packets }: Pick<TestSocket, 'packets'>): Json[] {
  return packets.flatMap(({ type, body }) =>
    type === 'change' && body.operation === 'update' && body.object.type === 'Message' ? body.data : [],
  );
}
function setting(property: string, value?: unknown) {
  return ({ type, body }: Packet) =>
    type === 'change' &&
    body.operation === 'update' &&
    body.data.some(
      (step: Json) => step.property === property && (value === undefined || step.value === value),
    );
}

test('users react, take it back, and see who did', async () => {
  expect(message).not.toHaveProperty('reactions');
  await bob.call('PUT', path('👍'), 204);
  await eve.call('PUT', path('👍'), 204);
  await eve.call('PUT', path('👍'), 204);
  await eve.call('PUT', path('a.b'), 204);
  expect((await read(bob)).reactions).toEqual({
    '👍': { count: 2, recent: [eve.uri, bob.uri], own: true },
    'a.b': { count: 1, recent: [eve.uri] },
  });
  const { body } = await ada.call('GET', `${path()}/reactions?key=${encodeURIComponent('👍')}`, 200);
  expect(body.map(({ key, user }: Json) => [key, user.id])).toEqual([
    ['👍', eve.uri],
    ['👍', bob.uri],
  ]);
  expect(body[0].id).toMatch(new RegExp(`^${message.id}/reactions/[0-9a-f-]{36}$`));
  const next = await ada.call(
    'GET',
    `${path()}/reactions?page_size=2&from_id=${encodeURIComponent(body[0].id)}`,
    200,
  );
  expect(next.body.map(({ user }: Json) => user.id)).toEqual([bob.uri]);
  await eve.call('DELETE', path('a.b'), 204);
  await eve.call('DELETE', path('a.b'), 204);
  expect((await app.server('GET', serverPath(), 200)).body.reactions).toEqual({
    '👍': { count: 2, recent: [eve.uri, bob.uri] },
  });
});

test('a replacing reaction is the only one of the user', async () => {
  for (const key of ['👍', 'tada']) await bob.call('PUT', path(key), 204);
  await bob.call('PUT', `${path('heart')}?replace=true`, 204);
  expect(Object.keys((await read(bob)).reactions)).toEqual(['heart']);
  await bob.call('PUT', `${path('heart')}?replace=maybe`, 422);
});

test.each([
  ['an empty key', '%20%0A', 'key'],
  ['a slash', 'a%2Fb', 'key'],
  ['a backslash', 'a%5Cb', 'key'],
  ['a name of objects', '__proto__', 'key'],
  ['what is not in NFC', 'e%CC%81', 'key'],
  ['a character that sets the direction', 'a%E2%80%AEb', 'key'],
  ['65 bytes', 'x'.repeat(65), 'key'],
])('%s is no key: 422', async (_what, key, property) => {
  const { body } = await bob.call('PUT', `${path()}/reactions/${key}`, 422);
  expect(body).toMatchObject({ id: 'invalid_property', data: { property } });
});

test('the key .., which clients take out of the path, does not delete the message: 404', async () => {
  const rest = `${path()}/reactions/..`;
  for (const method of ['PUT', 'DELETE'] as const) {
    await bob.call(method, rest, 404);
    await app.server(method, `/users/${encodeURIComponent(bob.id)}${rest}`, 404);
    await app.server(method, `/conversations/${uuidOf(conversation.id)}${rest}`, 404);
  }
  expect((await read(bob)).id).toBe(message.id);
});

test.each(['constructor', 'toString', 'count', 'url', 'recent', 'own', 'metadata', 'x'.repeat(64), '👩‍👩‍👧‍👦'])(
  'the key %s is like others, on every socket',
  async (key) => {
    const lean = await connect(ada, 'svc-4.0');
    const plain = await connect(ada);
    await bob.call('PUT', path(key), 204);
    await plain.waitFor('the count', setting(`reactions.${key}.count`, 1));
    await lean.waitFor('the count', setting(`reactions.${key}.count`, 1));
    expect(stepsOf(lean).at(-1)).toEqual({
      operation: 'set',
      property: `reactions.${key}.recent`,
      value: [bob.id],
    });
    expect(Object.entries((await read(ada)).reactions)).toEqual([[key, { count: 1, recent: [bob.uri] }]]);
    await bob.call('DELETE', path(key), 204);
    await plain.waitFor('the end', setting(`reactions.${key}`));
    expect(await read(ada)).not.toHaveProperty('reactions');
  },
);

test('too many: 422 with the limit', async () => {
  for (let n = 0; n < 10; n++) await bob.call('PUT', path(`key${n}`), 204);
  const { body } = await bob.call('PUT', path('one more'), 422);
  expect(body).toMatchObject({ id: 'invalid_operation', data: { property: 'reactions', limit: 10 } });
});

test('what is not seen does not exist, and who left reads', async () => {
  const { body } = await stranger.call('PUT', path('👍'), 404);
  expect(body).toBeUndefined();
  await stranger.call('GET', `${path()}/reactions`, 404);
  await app.server('GET', `/conversations/${uuidOf(message.id)}${path()}/reactions`, 404);
  await bob.call('PUT', path('👍'), 204);
  const leave = [{ operation: 'remove', property: 'participants', id: bob.uri }];
  await ada.call('PATCH', `/conversations/${uuidOf(conversation.id)}`, 204, { body: leave });
  await eve.call('PUT', path('tada'), 204);
  expect((await bob.call('PUT', path('👍'), 403)).body.id).toBe('access_denied');
  expect((await bob.call('DELETE', path('👍'), 403)).body.id).toBe('access_denied');
  expect(Object.keys((await read(bob)).reactions)).toEqual(['👍']);
  expect(Object.keys((await read(ada)).reactions)).toEqual(['👍', 'tada']);
  await app.server('DELETE', serverPath(), 204);
  await eve.call('PUT', path('👍'), 404);
  await eve.call('GET', `${path()}/reactions`, 404);
  await app.server('GET', `${serverPath()}/reactions`, 410);
});

test('a user of the application’s server reacts by its paths; the server itself does not', async () => {
  await app.server('PUT', `/users/${encodeURIComponent(bob.id)}${path('👍')}`, 204);
  const { body } = await app.server('GET', `${serverPath()}/reactions`, 200);
  expect(body).toMatchObject([{ key: '👍', user: { user_id: bob.id } }]);
  await app.server('PUT', `${serverPath()}/reactions/x`, 404);
});

test('sockets get counts and names, and the user’s own get what is their own', async () => {
  const [adas, bobs] = [await connect(ada), await connect(bob, 'svc-3.1')];
  await bob.call('PUT', path('a.b'), 204);
  await adas.waitFor('the count', setting('reactions.a\\.b.count', 1));
  await bobs.waitFor('own', setting('reactions.a\\.b.own', true));
  expect(stepsOf(adas)).toEqual([
    { operation: 'set', property: 'reactions.a\\.b.count', value: 1 },
    { operation: 'set', property: 'reactions.a\\.b.recent', value: [bob.uri] },
  ]);
  await eve.call('PUT', path('a.b'), 204);
  await adas.waitFor('both', setting('reactions.a\\.b.count', 2));
  await bob.call('DELETE', path('a.b'), 204);
  await bobs.waitFor('no own', ({ body }) =>
    (body.data ?? []).some?.(
      (step: Json) => step.operation === 'delete' && step.property === 'reactions.a\\.b.own',
    ),
  );
  await eve.call('DELETE', path('a.b'), 204);
  await adas.waitFor('the end', setting('reactions.a\\.b'));
  expect(stepsOf(adas).at(-1)).toEqual({ operation: 'delete', property: 'reactions.a\\.b' });
});

test('who is removed gets no reactions from after the removal', async () => {
  const [adas, eves] = [await connect(ada), await connect(eve)];
  await bob.call('PUT', path('👍'), 204);
  const leave = [{ operation: 'remove', property: 'participants', id: eve.uri }];
  await ada.call('PATCH', `/conversations/${uuidOf(conversation.id)}`, 204, { body: leave });
  await bob.call('PUT', path('tada'), 204);
  const removal = setting('participants');
  await adas.waitFor('the later reaction', setting('reactions.tada.count', 1));
  await eves.waitFor('the removal', removal);
  const before = { packets: eves.packets.slice(0, eves.packets.findIndex(removal)) };
  const properties = stepsOf(before).map(({ property }) => property);
  expect(properties).toEqual(['reactions.👍.count', 'reactions.👍.recent']);
  expect(stepsOf(eves)).toHaveLength(2);
});

test('who blocks a user gets a packet without the name, and counts them', async () => {
  await ada.call('PUT', `/blocks/${bob.id}`, 204);
  const [adas, eves] = [await connect(ada), await connect(eve)];
  await bob.call('PUT', path('👍'), 204);
  await adas.waitFor('the count', setting('reactions.👍.count', 1));
  await eves.waitFor('the count', setting('reactions.👍.count', 1));
  expect(stepsOf(adas).at(-1).value).toEqual([]);
  expect(stepsOf(eves).at(-1).value).toEqual([bob.uri]);
  expect((await read(ada)).reactions).toEqual({ '👍': { count: 1, recent: [] } });
  expect((await ada.call('GET', `${path()}/reactions`, 200)).body).toEqual([]);
  await ada.call('DELETE', `/blocks/${bob.id}`, 204);
});

test('requests of a socket do the same', async () => {
  const socket = await connect(bob, 'svc-4.0');
  const object_id = message.id;
  const done = { success: true, data: {} };
  const create = (data: unknown) => socket.request('Reaction.create', { object_id, data });
  expect(await create({ key: '👍', notification: { text: 'Bob likes it' } })).toMatchObject(done);
  expect(await create({ key: 'tada', replace: true })).toMatchObject(done);
  expect(Object.keys((await read(bob)).reactions)).toEqual(['tada']);
  expect(await socket.request('Reaction.delete', { object_id, data: { key: 'tada' } })).toMatchObject(done);
  expect(await read(bob)).not.toHaveProperty('reactions');
  for (const [data, id] of [
    [{}, 'missing_property'],
    [{ key: '..' }, 'invalid_property'],
    [{ key: 1 }, 'invalid_property'],
    [{ key: 'x', notification: 'y' }, 'invalid_property'],
    ['x', 'invalid_request'],
  ] as const)
    expect(await create(data)).toMatchObject({ success: false, data: { id } });
});

test('a replay shows the reactions and metadata of now', async () => {
  const from_timestamp = new Date(Date.now() - 1000).toISOString();
  await bob.call('PUT', path('👍'), 204);
  await eve.call('PUT', path('👍'), 204);
  await bob.call('PUT', path('gone'), 204);
  await bob.call('DELETE', path('gone'), 204);
  const patch = (value: unknown) => [{ operation: 'set', property: 'metadata.state', value }];
  for (const state of [1, 2]) await ada.call('PATCH', path(), 204, { body: patch(state) });
  const socket = await connect(bob);
  await socket.request('Event.replay', { data: { from_timestamp } });
  const shown: Record<string, unknown> = {};
  const own = socket.packets.filter(({ body }) => body.object?.id === message.id);
  for (const { operation, property, value } of stepsOf({ packets: own })) {
    // The last patch may also come by itself.
    if (property.startsWith('recipient_status') || property === 'metadata.state') continue;
    shown[property] = operation === 'delete' ? 'deleted' : value;
  }
  expect(shown).toEqual({
    'reactions.👍.count': 2,
    'reactions.👍.recent': [eve.uri, bob.uri],
    'reactions.👍.own': true,
    'reactions.gone': 'deleted',
    metadata: { state: 2 },
  });
});

test('a storm of reactions costs few packets, and every one counts', async () => {
  const users = await Promise.all(Array.from({ length: 100 }, (_, index) => app.login(`user${index}`)));
  const body = { participants: users.map(({ id }) => id) };
  const room = (await ada.call('POST', '/conversations', 201, { body })).body;
  const sent = await ada.call('POST', `/conversations/${uuidOf(room.id)}/messages`, 201, {
    body: { parts: [textPart('storm')] },
  });
  const socket = await connect(ada);
  const target = `/messages/${uuidOf(sent.body.id)}/reactions/x`;
  const began = performance.now();
  await Promise.all(users.map((user) => user.call('PUT', target, 204)));
  await socket.waitFor('all', setting('reactions.x.count', 100));
  const windows = Math.ceil((performance.now() - began) / 250) + 1;
  const packets = socket.packets.filter(setting('reactions.x.count'));
  expect(packets.length).toBeLessThanOrEqual(windows);
});

test('an erased user’s reactions go, and the counts follow', async () => {
  const gone = await app.login(`gone-${uuidOf(message.id)}`);
  const add = [{ operation: 'add', property: 'participants', id: gone.id }];
  await ada.call('PATCH', `/conversations/${uuidOf(conversation.id)}`, 204, { body: add });
  await bob.call('PUT', path('👍'), 204);
  await gone.call('PUT', path('👍'), 204);
  await gone.call('PUT', path('tada'), 204);
  const socket = await connect(ada);
  await app.server('DELETE', `/users/${gone.id}`, 202);
  await socket.waitFor('the end of a key', setting('reactions.tada'));
  await until('the reactions are gone', async () => (await read(ada)).reactions?.['👍'].count === 1);
  expect((await read(ada)).reactions).toEqual({ '👍': { count: 1, recent: [bob.uri] } });
});
