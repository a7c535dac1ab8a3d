import { leanSockets } from '@parley/client/lean';
import { WebSocket } from 'ws';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { describedPackets } from '../../support/contract/asyncapi.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type Packet, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

// docs/protocol/lean-packets.md

/** User ids with dots, and with a name that JavaScript keeps for itself. */
const BOB = 'b.o.b';
const EVE = '__proto__';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob, eve] = await Promise.all([app.login('ada'), app.login(BOB), app.login(EVE)]);
});
afterEach(async () => {
  for (const socket of open.splice(0)) await socket.close();
});

/** A socket of `svc-4.0` whose packets the client library has made what they are on other sockets. */
type Expanded = { packets: Packet[]; texts: string[]; send(packet: object): void };

async function connectExpanded(user: TestUser): Promise<Expanded> {
  const texts: string[] = [];
  class Recorded extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { perMessageDeflate: false });
      this.on('message', (data) => texts.push((data as Buffer).toString()));
    }
  }
  const url = `${app.baseUrl.replace('http', 'ws')}/websocket`;
  const socket = new (leanSockets(Recorded as never))(url, ['svc-3.1', `svc-token.${user.token}`]);
  open.push(socket);
  const packets: Packet[] = [];
  socket.onmessage = ({ data }: { data: string }) => void packets.push(JSON.parse(data) as Packet);
  await until('hello', () => packets.at(0));
  return { packets, texts, send: (packet) => socket.send(JSON.stringify(packet)) };
}

async function connect(user: TestUser, subprotocol: 'svc-3.1' | 'svc-4.0'): Promise<TestSocket> {
  const socket = await user.connect({ subprotocol });
  open.push(socket);
  return socket;
}

const STATE: readonly unknown[] = ['last_message', 'unread_message_count'];

/** The packets but for what the two forms say at different times: the state of conversations. */
function withoutState(packets: readonly Packet[], me: string): Json[] {
  return packets
    .filter(({ type }) => type !== 'hello' && type !== 'response')
    .map(({ type, body }) => ({ type, body: withoutStateSteps(ownStatuses(body, me)) }))
    .filter(({ body }) => !Array.isArray(body.data) || body.data.length > 0);
}

function withoutStateSteps(body: Json): Json {
  if (body.object.type !== 'Conversation' || !Array.isArray(body.data)) return body;
  return { ...body, data: body.data.filter(({ property }: Json) => !STATE.includes(property)) };
}

/** Keeps the statuses of the reader and the sender: an expanded new message from another user has no others. */
function ownStatuses(body: Json, me: string): Json {
  const { operation, object, data } = body;
  if (operation !== 'create' || object.type !== 'Message' || data.sender.id === me) return body;
  const kept = Object.entries(data.recipient_status).filter(([id]) => id === me || id === data.sender.id);
  return { ...body, data: { ...data, recipient_status: Object.fromEntries(kept.sort()) } };
}

/** The last state of each conversation that the packets tell. */
function stateOf(packets: readonly Packet[]): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const { type, body } of packets) {
    if (type !== 'change' || body.object.type !== 'Conversation' || !Array.isArray(body.data)) continue;
    for (const { property, id, value } of body.data as Json[])
      if (STATE.includes(property)) state[`${uuidOf(body.object.id)} ${property}`] = id ?? value;
  }
  return state;
}

async function ask(socket: TestSocket, method: string, data?: unknown, object_id?: string): Promise<Json> {
  const fields = { ...(data !== undefined && { data }), ...(object_id !== undefined && { object_id }) };
  const body = await socket.request(method, fields);
  expect(body).toMatchObject({ method, success: true });
  return body.data;
}

/** Causes every kind of packet, by acts of ada, of the server, and of bob on another socket. */
async function happen(adas: TestSocket, bobs: TestSocket, actor: TestSocket): Promise<void> {
  const image = { mime_type: 'image/png', body: 'AAAA', encoding: 'base64' };
  const conversation = await ask(adas, 'Conversation.create', {
    participants: [BOB, EVE],
    metadata: { id: 'svc:///messages/1', url: 'null', nested: { object: 'x' } },
  });
  const patch = [{ operation: 'set', property: 'metadata.a\\.b', value: { url: 'svc:///a' } }];
  await ask(adas, 'Conversation.update', patch, conversation.id);
  const message = await ask(
    adas,
    'Message.create',
    { parts: [textPart('hello'), image], notification: { text: 'Hello' } },
    conversation.id,
  );
  await bobs.waitFor('message', isChange('create', 'Message', message.id));
  const own = await bob.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, {
    body: { parts: [textPart('from bob by REST')] },
  });
  await eve.call('POST', `/messages/${uuidOf(own.body.id)}/receipts`, 204, { body: { type: 'read' } });
  await ask(actor, 'Receipt.create', { type: 'delivery' }, message.id);
  await ask(adas, 'Conversation.mark_all_delivered', {}, conversation.id);
  await ask(adas, 'Conversation.mark_all_read', {}, conversation.id);
  adas.signal({ type: 'typing_indicator', object: { id: conversation.id }, data: { action: 'started' } });
  await bobs.waitFor('typing', ({ type }) => type === 'signal');
  const parts = `/conversations/${uuidOf(conversation.id)}/messages/${uuidOf(message.id)}/parts`;
  const [part] = message.parts as Json[];
  await app.server('PUT', `${parts}/${uuidOf(part.id)}`, 200, { body: textPart('changed') });
  await app.server('PUT', parts, 200, { body: [textPart('replaced')] });
  const remove = [{ operation: 'remove', property: 'participants', id: EVE }];
  await ask(adas, 'Conversation.update', remove, conversation.id);
  await ask(adas, 'Conversation.update', [{ ...remove[0], operation: 'add' }], conversation.id);
  const announcement = { sender_id: 'ada', recipients: [BOB], parts: [textPart('to all')] };
  await app.server('POST', '/announcements', 202, { body: announcement });
  const announced = await bobs.waitFor('announcement', isChange('create', 'Announcement'));
  await bob.call('POST', `/announcements/${uuidOf(announced.body.object.id)}/receipts`, 204, {
    body: { type: 'read' },
  });
  await ask(bobs, 'Presence.subscribe', { ids: ['ada'] });
  await ask(adas, 'Presence.update', [{ operation: 'set', property: 'status', value: 'busy' }]);
  await app.server('PUT', `/users/ada/identity`, 204, {
    body: { display_name: 'Ada', metadata: { url: 'x' } },
  });
  await ask(actor, 'Message.delete', { mode: 'my_devices' }, own.body.id);
  await ask(adas, 'Message.delete', { mode: 'all_participants' }, message.id);
  await ask(actor, 'Conversation.delete', { mode: 'my_devices' }, conversation.id);
  await ask(adas, 'Message.create', { parts: [textPart('back')] }, conversation.id);
  const gone = await ask(adas, 'Conversation.create', { participants: [BOB] });
  await ask(adas, 'Conversation.delete', { mode: 'all_participants' }, gone.id);
  await bobs.waitFor('deletion', isChange('delete', 'Conversation', gone.id));
}

test('a lean socket gets packet by packet what others get, live and by a replay', async () => {
  const begun = new Date(Date.now() - 60_000).toISOString();
  const [adas, bobs, lean] = [
    await connect(ada, 'svc-3.1'),
    await connect(bob, 'svc-3.1'),
    await connectExpanded(bob),
  ];
  lean.send({
    type: 'request',
    body: { request_id: 'p', method: 'Presence.subscribe', data: { ids: ['ada'] } },
  });
  await happen(adas, bobs, await connect(bob, 'svc-3.1'));
  await until('the last packet', () =>
    lean.packets.find(
      ({ body }) => body.data?.mode === 'all_participants' && body.object.type === 'Conversation',
    ),
  );
  expect(withoutState(lean.packets, bob.uri)).toEqual(withoutState(bobs.packets, bob.uri));
  await until('the same state', () =>
    JSON.stringify(stateOf(lean.packets)) === JSON.stringify(stateOf(bobs.packets)) ? true : undefined,
  );
  expect(lean.packets.map(({ counter }) => counter)).toEqual(lean.packets.map((_, index) => index));
  const before = [bobs.packets.length, lean.packets.length] as const;
  lean.send({
    type: 'request',
    body: { request_id: 'r', method: 'Event.replay', data: { from_timestamp: begun } },
  });
  await ask(bobs, 'Event.replay', { from_timestamp: begun });
  await until('the end of the replay', () => lean.packets.find(({ body }) => body.request_id === 'r'));
  const [full, short] = [bobs.packets.slice(before[0]), lean.packets.slice(before[1])];
  expect(withoutState(short, bob.uri)).toEqual(withoutState(full, bob.uri));
  for (const text of lean.texts.slice(1)) expect(text).not.toMatch(/:null|"url":"http/);
});

test('what the sender of a message is told, and the packet of the reader, are as described and small', async () => {
  const sender = await app.login('ada.lovelace', { display_name: 'Ada Lovelace' });
  const [adas, other, bobs] = [
    await connect(sender, 'svc-4.0'),
    await connect(sender, 'svc-4.0'),
    await connect(bob, 'svc-4.0'),
  ];
  const { body: conversation } = await sender.call('POST', '/conversations', 201, {
    body: { participants: [BOB] },
  });
  const text = 'A message of exactly forty-four characters !';
  await ask(adas, 'Message.create', { parts: [textPart('the first one')] }, conversation.id);
  await bobs.waitFor('the count is known', isChange('update', 'Conversation', uuidOf(conversation.id)));
  const sent = await ask(adas, 'Message.create', { parts: [textPart(text)] }, conversation.id);
  const received = await bobs.waitFor('message', isChange('create', 'Message', sent.id));
  expect(text).toHaveLength(44);
  expect(received.body).toMatchObject({
    unread_message_count: 2,
    data: { position: 2, parts: [{ id: sent.part_ids[0] }] },
  });
  const own = await other.waitFor('message', isChange('create', 'Message', sent.id));
  expect(own.body).toMatchObject({
    unread_message_count: 0,
    data: { is_unread: false, recipient_status: { [BOB]: 'sent' } },
  });
  const response = adas.packets.find(({ body }) => body.data?.id === sent.id)!;
  const described = await describedPackets(app.baseUrl);
  for (const packet of [received, own, response]) expect(described?.problemOf(packet)).toBeUndefined();
  const [delivery, answer] = [received, response].map((packet) => Buffer.byteLength(JSON.stringify(packet)));
  expect(delivery).toBeLessThanOrEqual(500);
  expect(delivery! + answer!).toBeLessThanOrEqual(1_300);
  expect(adas.changes('Message')).toEqual([]);
});

test('a lean hello has templates of the addresses that records have', async () => {
  const socket = await connect(ada, 'svc-4.0');
  const hello = await socket.waitFor('hello', ({ type }) => type === 'hello');
  const { templates } = hello.body as { templates: Record<string, string> };
  const { body: conversation } = await ada.call('POST', '/conversations', 201, {
    body: { participants: [BOB] },
  });
  const { body: message } = await ada.call(
    'POST',
    `/conversations/${uuidOf(conversation.id)}/messages`,
    201,
    {
      body: { parts: [textPart('hello')] },
    },
  );
  const ids: Record<string, string> = {
    conversation_id: uuidOf(conversation.id),
    message_id: uuidOf(message.id),
    part_id: uuidOf(message.parts[0].id),
    user_id: 'ada',
  };
  const at = (name: string) => templates[name]?.replace(/\{(\w+)\}/g, (_, key: string) => ids[key] ?? '');
  expect([
    at('conversation'),
    at('messages'),
    at('message'),
    at('message_receipts'),
    at('message_part'),
    at('identity'),
  ]).toEqual([
    ...[conversation.url, conversation.messages_url, message.url, message.receipts_url],
    ...[message.parts[0].url, message.sender.url],
  ]);
});
