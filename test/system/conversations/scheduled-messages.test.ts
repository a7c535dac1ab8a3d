import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import type { Packet, TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let path: string;
let sockets: TestSocket[];

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});

beforeEach(async () => {
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: [bob.uri] } });
  path = `/conversations/${uuidOf(body.id)}`;
  sockets = [];
});

afterEach(async () => {
  await Promise.all(sockets.map((socket) => socket.close()));
});

async function connect(user: TestUser): Promise<TestSocket> {
  const socket = await user.connect();
  sockets.push(socket);
  return socket;
}

function message(schedule: unknown, fields = {}) {
  return {
    body: { sender_id: ada.uri, parts: [textPart('later')], schedule, ...fields },
  };
}

function isSignal(action: string) {
  return (packet: Packet) => packet.type === 'signal' && packet.body.data.action === action;
}
function isMessage(packet: Packet) {
  return (
    packet.type === 'change' && packet.body.operation === 'create' && packet.body.object.type === 'Message'
  );
}

test('the answer is 202 and empty; the message is sent when it is due, after its sender’s typing', async () => {
  const socket = await connect(bob);
  const own = await connect(ada);
  const began = Date.now();
  const schedule = { delay_in_seconds: 6, typing_indicator_in_seconds: 1.25 };
  const { text, headers } = await app.server('POST', `${path}/messages`, 202, message(schedule));
  expect(text).toBe('');
  const [, listed] = await Promise.all([
    app.server('GET', headers['location']!.slice(headers['location']!.indexOf(path)), 200),
    app.server('GET', `${path}/scheduled_messages`, 200),
  ]);
  expect(listed.headers['svc-count']).toBe('1');
  expect(listed.body).toMatchObject([
    {
      url: headers['location'],
      sender: { user_id: 'ada' },
      parts: [{ body: 'later', mime_type: 'text/plain' }],
      notification: null,
    },
  ]);
  const { id, created_at, send_at, typing_indicator_at } = listed.body[0];
  expect(Date.parse(send_at) - Date.parse(created_at)).toBe(6000);
  expect(Date.parse(typing_indicator_at) - Date.parse(created_at)).toBe(4750);
  await app.server('GET', `${path}/messages/${uuidOf(id)}`, 404);

  const started = await socket.waitFor('typing starts', isSignal('started'));
  expect(Date.now() - began).toBeGreaterThanOrEqual(4750);
  expect(started.body).toMatchObject({
    type: 'typing_indicator',
    object: { type: 'Conversation' },
    data: { sender: { id: ada.uri } },
  });
  const created = await socket.waitFor('the message', isMessage);
  expect(Date.now() - began).toBeGreaterThanOrEqual(6000);
  expect(created.body.data).toMatchObject({ id, sender: { id: ada.uri }, is_unread: true });
  const finished = await socket.waitFor('typing ends', isSignal('finished'));
  expect(finished.counter).toBeGreaterThan(started.counter);
  expect((await app.server('GET', `${path}/scheduled_messages`, 200)).body).toEqual([]);
  expect((await bob.call('GET', `${path}/messages`, 200)).body.map((one: Json) => one.id)).toEqual([id]);
  await own.waitFor('the message at its sender', isMessage);
  expect(own.packets.filter(({ type }) => type === 'signal')).toEqual([]);
});

test.each([
  [{}, 'missing_property', 'schedule.delay_in_seconds'],
  [{ delay_in_seconds: 0.999 }, 'invalid_property', 'schedule.delay_in_seconds'],
  [{ delay_in_seconds: 300.001 }, 'invalid_property', 'schedule.delay_in_seconds'],
  [{ delay_in_seconds: '5' }, 'invalid_property', 'schedule.delay_in_seconds'],
  [
    { delay_in_seconds: 5, typing_indicator_in_seconds: 5.001 },
    'invalid_property',
    'schedule.typing_indicator_in_seconds',
  ],
  [
    { delay_in_seconds: 5, typing_indicator_in_seconds: 0.5 },
    'invalid_property',
    'schedule.typing_indicator_in_seconds',
  ],
  ['soon', 'invalid_property', 'schedule'],
])('a schedule %j is refused', async (schedule, id, property) => {
  const { body } = await app.server('POST', `${path}/messages`, 422, message(schedule));
  expect(body).toMatchObject({ id, data: { property } });
  expect((await app.server('GET', `${path}/scheduled_messages`, 200)).body).toEqual([]);
});

test('a sender who may not send now cannot schedule a message', async () => {
  const schedule = { delay_in_seconds: 300 };
  await app.login('eve');
  const { body } = await app.server('POST', `${path}/messages`, 422, message(schedule, { sender_id: 'eve' }));
  expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'sender_id' } });
  await app.server('POST', `${path}/messages`, 404, message(schedule, { sender_id: 'who' }));
  await app.server('POST', `/conversations/${randomUUID()}/messages`, 404, message(schedule));
});

test('scheduled messages are listed in pages with their ids until they are cancelled', async () => {
  const ids: string[] = [];
  for (const delay_in_seconds of [300, 100.5, 200]) {
    const id = randomUUID();
    ids.push(id);
    await app.server('POST', `${path}/messages`, 202, message({ delay_in_seconds }, { id }));
  }
  const [third, first, second] = ids;
  const page = async (query: string) =>
    (await app.server('GET', `${path}/scheduled_messages?${query}`, 200)).body.map((one: Json) =>
      uuidOf(one.id),
    );
  expect(await page('page_size=2')).toEqual([first, second]);
  expect(await page(`page_size=2&from_id=svc:///messages/${second}`)).toEqual([third]);

  const taken = { parts: [textPart('mine')], id: first };
  const { body } = await bob.call('POST', `${path}/messages`, 409, { body: taken });
  expect(body).toMatchObject({ id: 'id_in_use', data: null });
  await app.server('POST', `${path}/messages`, 409, message({ delay_in_seconds: 9 }, { id: first }));

  await app.server('DELETE', `${path}/scheduled_messages/${first}`, 204);
  await app.server('DELETE', `${path}/scheduled_messages/${first}`, 404);
  const gone = await app.server('GET', `${path}/scheduled_messages/${first}`, 404);
  expect(gone.body).toMatchObject({ id: 'not_found' });
  await bob.call('POST', `${path}/messages`, 201, { body: taken });
  expect(await page('')).toEqual([second, third]);
});

test('it is dropped when its sender is removed or the conversation deleted', async () => {
  const schedule = { delay_in_seconds: 1 };
  await app.server('POST', `${path}/messages`, 202, message(schedule));
  const fromBob = await app.server('POST', `${path}/messages`, 202, message(schedule, { sender_id: 'bob' }));
  await app.server('PATCH', path, 204, {
    headers: { 'content-type': 'application/vnd.svc-patch+json' },
    body: [{ operation: 'remove', property: 'participants', id: ada.uri }],
  });
  const ofBob = uuidOf(fromBob.headers['location']!);
  await until('bob’s message is sent', async () => {
    const { body } = await bob.call('GET', `${path}/messages`, 200);
    return body.length === 0
      ? undefined
      : (expect(body.map((one: Json) => uuidOf(one.id))).toEqual([ofBob]) ?? true);
  });
  await app.server('POST', `${path}/messages`, 202, message({ delay_in_seconds: 300 }, { sender_id: 'bob' }));
  await app.server('DELETE', path, 204);
  await app.server('GET', `${path}/scheduled_messages`, 410);
});

test('a client cannot schedule messages', async () => {
  const body = { parts: [textPart('now')], schedule: { delay_in_seconds: 5 } };
  await bob.call('POST', `${path}/messages`, 201, { body });
});
