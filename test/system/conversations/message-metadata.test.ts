import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import type { Packet, TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
let sockets: TestSocket[];

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});
beforeEach(async () => {
  sockets = [];
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
});
afterEach(() => Promise.all(sockets.map((socket) => socket.close())));

async function connect(user: TestUser, subprotocol: 'svc-3.0' | 'svc-3.1' | 'svc-4.0' = 'svc-3.0') {
  const socket = await user.connect({ subprotocol });
  sockets.push(socket);
  return socket;
}
function path() {
  return `/conversations/${uuidOf(conversation.id)}/messages`;
}
async function send(metadata: unknown, expected = 201) {
  return (await ada.call('POST', path(), expected, { body: { parts: [textPart('hi')], metadata } })).body;
}

// Keys that the text of a message has, too.
const ODD = {
  is_unread: true,
  recipient_status: {},
  url: 'x',
  id: 1.5,
  nested: { ',"is_unread":': ',"recipient_status":{}', received_at: false },
  'ü.b': '"\\',
};

test('metadata are given back as they were sent, in every view and on every socket', async () => {
  const all = await Promise.all((['svc-3.0', 'svc-3.1', 'svc-4.0'] as const).map((one) => connect(bob, one)));
  const sent = await send(ODD);
  expect(sent.metadata).toEqual(ODD);
  for (const socket of all) {
    const isIt = ({ body }: Packet) =>
      body.operation === 'create' && body.object.id.endsWith(uuidOf(sent.id));
    expect((await socket.waitFor('the message', isIt)).body.data.metadata).toEqual(ODD);
  }
  const views = [
    (await bob.call('GET', `/messages/${uuidOf(sent.id)}`, 200)).body,
    (await bob.call('GET', path(), 200)).body[0],
    (await bob.call('GET', `/conversations/${uuidOf(conversation.id)}`, 200)).body.last_message,
    (await app.server('GET', path(), 200)).body[0],
  ];
  for (const view of views) expect(view.metadata).toEqual(ODD);
  expect(views[0]).toMatchObject({ is_unread: true, recipient_status: { [bob.uri]: 'sent' } });
});

test.each([
  ['without any', undefined],
  ['with null', null],
  ['that is empty', {}],
])('a message %s has no such key', async (_what, metadata) => {
  expect(await send(metadata)).not.toHaveProperty('metadata');
});

test.each([
  ['a text', 'x'],
  ['a list', []],
  ['a list within', { a: ['b'] }],
  ['null within', { a: null }],
  ['more than 4,096 bytes', { a: 'x'.repeat(4090) }],
  ['a forbidden key', JSON.parse('{"__proto__":{"a":"b"}}')],
  ['U+0000', { a: '\u0000' }],
])('%s is 422', async (_what, metadata) => {
  const body = await send(metadata, 422);
  expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'metadata' } });
});

test('the sender and servers patch; it is told by its steps, and sets no time', async () => {
  const sent = await send({ order: { state: 'paid', number: 1 } });
  const [bobs, leans] = [await connect(bob), await connect(bob, 'svc-4.0')];
  const one = `/messages/${uuidOf(sent.id)}`;
  const steps = [
    { operation: 'set', property: 'metadata.order.state', value: 'shipped' },
    { operation: 'delete', property: 'metadata.order.number' },
    { operation: 'set', property: 'metadata.seen', value: true },
  ];
  await ada.call('PATCH', one, 204, { body: steps });
  const isIt = ({ body }: Packet) => body.operation === 'update' && body.object.type === 'Message';
  expect((await bobs.waitFor('the steps', isIt)).body.data).toEqual(steps);
  expect((await leans.waitFor('the steps', isIt)).body.data).toEqual(steps);
  const { body } = await bob.call('GET', one, 200);
  expect(body).toMatchObject({ metadata: { order: { state: 'shipped' }, seen: true }, updated_at: null });
  await app.server('PATCH', `/conversations/${uuidOf(conversation.id)}${one}`, 204, {
    body: [{ operation: 'delete', property: 'metadata' }],
  });
  await until('the metadata are gone', async () => !('metadata' in (await bob.call('GET', one, 200)).body));
  expect((await bob.call('PATCH', one, 403, { body: steps })).body.id).toBe('access_denied');
  const socket = await connect(ada);
  const answer = await socket.request('Message.update', { object_id: sent.id, data: steps.slice(2) });
  expect(answer).toMatchObject({ success: true, data: {} });
  expect((await bob.call('GET', one, 200)).body.metadata).toEqual({ seen: true });
});

test.each([
  ['another property', [{ operation: 'set', property: 'parts', value: [] }], '0.property'],
  ['another operation', [{ operation: 'add', property: 'metadata.a', value: 'b' }], '0.operation'],
  ['no value', [{ operation: 'set', property: 'metadata.a' }], '0.value'],
  ['a list', [{ operation: 'set', property: 'metadata.a', value: [] }], 'metadata'],
  ['too much', [{ operation: 'set', property: 'metadata.a', value: 'x'.repeat(4097) }], 'metadata'],
  ['a path through a leaf', [{ operation: 'set', property: 'metadata.leaf.a', value: 1 }], 'metadata'],
])('a patch with %s is 422, and changes nothing', async (_what, body, property) => {
  const sent = await send({ leaf: 1 });
  const one = `/messages/${uuidOf(sent.id)}`;
  const answer = await ada.call('PATCH', one, 422, { body });
  expect(answer.body.data.property).toBe(property);
  expect((await ada.call('GET', one, 200)).body.metadata).toEqual({ leaf: 1 });
});

test('a batch and a scheduled message have metadata, too', async () => {
  const of = (n: number) => ({ sender_id: 'ada', parts: [textPart(`${n}`)], metadata: { n } });
  await app.server('POST', path(), 202, { body: [of(1), of(2)] });
  await app.server('POST', path(), 202, { body: { ...of(3), schedule: { delay_in_seconds: 1 } } });
  await app.server('POST', path(), 202, { body: { ...of(4), schedule: { delay_in_seconds: 300 } } });
  const { body } = await app.server('GET', path().replace(/messages$/, 'scheduled_messages'), 200);
  expect(body).toContainEqual(expect.objectContaining({ metadata: { n: 4 } }));
  await until('all are sent', async () => (await bob.call('GET', path(), 200)).body.length === 3);
  const { body: list } = await bob.call('GET', path(), 200);
  expect(list.map(({ metadata }: Json) => metadata.n)).toEqual([3, 2, 1]);
  const wrong = await app.server('POST', path(), 422, { body: [of(1), { ...of(2), metadata: [] }] });
  expect(wrong.body.data.property).toBe('1.metadata');
});
