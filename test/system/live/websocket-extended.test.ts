import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { describedPackets } from '../../support/contract/asyncapi.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, openSocket, type Packet } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let eve: TestUser;
let conversation: Json;
const open: Client[] = [];

type Client = {
  packets: Packet[];
  closed: { code: number; reason: string } | undefined;
  protocol(): string;
  send(packet: object): void;
  close(): void;
};

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, eve] = await Promise.all([app.login('ada'), app.login('eve'), app.login('bob')]);
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
});

afterEach(async () => {
  const described = await describedPackets(app.baseUrl);
  const clients = open.splice(0);
  for (const client of clients) client.close();
  expect(clients.flatMap(({ packets }) => packets.map((each) => described?.problemOf(each)))).toEqual(
    clients.flatMap(({ packets }) => packets.map(() => undefined)),
  );
});

function connect(protocols: string[]): Client {
  const socket = openSocket(`${app.baseUrl.replace('http', 'ws')}/websocket`, protocols);
  const client: Client = {
    packets: [],
    closed: undefined,
    protocol: () => socket.protocol,
    send: (packet) => socket.send(JSON.stringify(packet)),
    close: () => socket.close(),
  };
  socket.on('message', (data) => client.packets.push(JSON.parse((data as Buffer).toString()) as Packet));
  socket.on('error', () => undefined);
  socket.on('close', (code, reason) => (client.closed = { code, reason: reason.toString() }));
  open.push(client);
  return client;
}

function connectAs(user: TestUser): Client {
  return connect(['svc-3.0', 'svc-3.1', `svc-token.${user.token}`]);
}

function packet(client: Client, what: string, fits: (packet: Packet) => boolean): Promise<Packet> {
  return until(what, () => client.packets.find(fits));
}

const isHello = ({ type }: Packet) => type === 'hello';
const isError = ({ type }: Packet) => type === 'error';

function typing(id: string): object {
  const body = { type: 'typing_indicator', object: { id }, data: { action: 'started' } };
  return { type: 'signal', body };
}

test('a socket of svc-3.1 begins with hello, by a token among the subprotocols', async () => {
  const client = connectAs(ada);
  const hello = await packet(client, 'hello', isHello);
  expect(client.protocol()).toBe('svc-3.1');
  expect(hello).toMatchObject({
    counter: 0,
    body: {
      user: { id: ada.uri, user_id: 'ada' },
      session_expires_at: expect.stringMatching(/Z$/),
      server_time: expect.stringMatching(/Z$/),
      keep_alive_in_seconds: 30,
      limits: { packet_bytes: 1_048_576, replay_overlap_in_seconds: expect.any(Number) },
    },
  });
});

test('a replay from the time of hello, less the overlap, brings a message that was sent at that moment', async () => {
  const first = connectAs(ada);
  const { body } = await packet(first, 'hello', isHello);
  const sent = await ada.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, {
    body: { parts: [textPart('at that moment')] },
  });
  first.close();
  const second = connectAs(ada);
  await packet(second, 'hello', isHello);
  const from = Date.parse(body.server_time) - body.limits.replay_overlap_in_seconds * 1000;
  const data = { from_timestamp: new Date(from).toISOString() };
  second.send({ type: 'request', body: { request_id: '1', method: 'Event.replay', data } });
  await packet(second, 'the message', isChange('create', 'Message', sent.body.id));
});

test('a signal that is dropped is answered by an error packet, which discloses no conversation', async () => {
  const client = connectAs(eve);
  await packet(client, 'hello', isHello);
  client.send(typing(conversation.id));
  const hidden = await packet(client, 'error', isError);
  expect(hidden).toMatchObject({
    counter: 1,
    body: { id: 'not_found', data: { object_id: conversation.id } },
  });
  const unknown = 'svc:///conversations/7f3ab8d4-0000-4000-8000-000000000000';
  client.send(typing(unknown));
  const missing = await packet(client, 'second error', ({ counter }) => counter === 2);
  const withoutId = ({ body }: Packet) => JSON.stringify(body).replaceAll(/[0-9a-f-]{36}/g, '');
  expect(withoutId(missing)).toBe(withoutId(hidden));
});

test('a refused upgrade closes with a code of its own and the id of the error', async () => {
  const client = connect(['svc-3.1', 'svc-token.dead']);
  await until('the close', () => client.closed);
  expect(client.closed).toEqual({ code: 4401, reason: 'authentication_required' });
});
