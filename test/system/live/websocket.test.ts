import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { hasStep, isChange, openSocket, type TestSocket } from '../../support/socket.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
const open: TestSocket[] = [];

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bo.b')]);
});

beforeEach(async () => {
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: [bob.uri] } })).body;
});

afterEach(async () => {
  for (const socket of open.splice(0)) if (!socket.closed) await socket.close();
});

async function connect(user: TestUser): Promise<TestSocket> {
  const socket = await user.connect();
  open.push(socket);
  return socket;
}
function path() {
  return `/conversations/${uuidOf(conversation.id)}`;
}
async function say(user: TestUser, text: string) {
  return (await user.call('POST', `${path()}/messages`, 201, { body: { parts: [textPart(text)] } })).body;
}

function refusal(url: string, protocols: string[], headers = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(url, protocols, headers);
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      socket.terminate();
    });
    socket.on('open', () => reject(new Error('it opened')));
    socket.on('error', () => undefined);
  });
}

describe('connecting', () => {
  const address = () => app.baseUrl.replace('http', 'ws');

  test('the websocket link of a session works', async () => {
    const identity_token = await app.identityToken('linda');
    const { call } = await import('../../support/http.ts');
    const { headers, body } = await call('POST', `${app.baseUrl}/sessions`, 201, {
      body: { identity_token, app_id: app.appId },
    });
    const link = /<([^>]+)>; rel=websocket/.exec(headers['link'] ?? '')?.[1] ?? '';
    const socket = openSocket(link, ['svc-3.0'], {
      authorization: `Svc session-token="${body.session_token}"`,
    });
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    expect(socket.protocol).toBe('svc-3.0');
    socket.close();
  });

  test('both the root and /websocket upgrade', async () => {
    for (const at of ['/', '/websocket']) {
      const socket = openSocket(`${address()}${at}?session_token=${ada.token}`);
      await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
      socket.close();
    }
  });

  test('without the subprotocol: 400; with a dead token: 401', async () => {
    expect(await refusal(`${address()}/websocket?session_token=${ada.token}`, ['chat'])).toBe(400);
    expect(await refusal(`${address()}/websocket?session_token=nonsense`, ['svc-3.0'])).toBe(401);
    expect(await refusal(`${address()}/websocket`, ['svc-3.0'])).toBe(401);
  });

  test.each([
    ['not json', 1007],
    ['{"type":"dance"}', 1003],
    [`"${'x'.repeat(1_048_577)}"`, 1009],
  ])('a packet %.20s closes with %i', async (packet, code) => {
    const socket = await connect(ada);
    socket.raw(packet);
    expect((await socket.untilClosed()).code).toBe(code);
  });

  test('the end of a session closes its sockets with 4401', async () => {
    const kim = await app.login('kim');
    const socket = await connect(kim);
    await kim.call('DELETE', `/sessions/${kim.token}`, 204);
    expect((await socket.untilClosed(3000)).code).toBe(4401);
    await kim.call('GET', '/conversations', 401);
  });
});

describe('requests', () => {
  test('Message.create answers with the message', async () => {
    const adas = await connect(ada);
    const response = await adas.request('Message.create', {
      object_id: conversation.id,
      data: { parts: [textPart('by socket')] },
    });
    expect(response).toMatchObject({
      method: 'Message.create',
      success: true,
      data: { position: 1, sender: { id: ada.uri }, recipient_status: { [bob.uri]: 'sent' } },
    });
    expect((await bob.call('GET', `/messages/${uuidOf(response.data.id)}`, 200)).body.parts[0].body).toBe(
      'by socket',
    );
  });

  test('a duplicate id answers with id_in_use and the message', async () => {
    const adas = await connect(ada);
    const message = await say(ada, 'first');
    const response = await adas.request('Message.create', {
      object_id: conversation.id,
      data: { id: message.id, parts: [textPart('second')] },
    });
    expect(response).toMatchObject({
      success: false,
      data: { id: 'id_in_use', code: 111, data: { id: message.id } },
    });
  });

  test('a conversation that does not exist is not_found', async () => {
    const adas = await connect(ada);
    const object_id = 'svc:///conversations/7f3ab8d4-0000-4000-8000-000000000000';
    const response = await adas.request('Message.create', { object_id, data: { parts: [textPart('lost')] } });
    expect(response).toMatchObject({ success: false, data: { id: 'not_found', code: 102 } });
  });

  test('Conversation.create answers with the conversation', async () => {
    const adas = await connect(ada);
    const made = await adas.request('Conversation.create', {
      data: { participants: [bob.uri], distinct: false, metadata: { x: 'y' } },
    });
    expect(made).toMatchObject({ success: true, data: { metadata: { x: 'y' }, unread_message_count: 0 } });
    const refused = await adas.request('Conversation.create', { data: {} });
    expect(refused).toMatchObject({
      success: false,
      data: { id: 'missing_property', data: { property: 'participants' } },
    });
  });

  test('Counter.read returns the number of the last packet before the response', async () => {
    const adas = await connect(ada);
    await adas.request('Counter.read');
    const second = await adas.request('Counter.read');
    expect(second.data).toEqual({ counter: 0 });
  });

  test('an unknown method is invalid_request', async () => {
    const adas = await connect(ada);
    expect(await adas.request('Dance.start')).toMatchObject({
      success: false,
      data: { id: 'invalid_request', code: 10 },
    });
  });

  test('Event.replay sends the missed events in order, then the response', async () => {
    const first = await connect(bob);
    await say(ada, 'seen');
    const seen = await first.waitFor('message', isChange('create', 'Message'));
    await first.close();
    const watching = await connect(ada);
    const missed = [await say(ada, 'm1'), await say(ada, 'm2')];
    await ada.call('PATCH', path(), 204, {
      body: [{ operation: 'set', property: 'metadata.k', value: 'v' }],
    });
    missed.push(await say(ada, 'm3'));
    // Its event may arrive after the answer: then the socket would get it live as well.
    await watching.waitFor('the last message', isChange('create', 'Message', missed[2].id));
    const second = await connect(bob);
    const response = await second.request('Event.replay', { data: { from_timestamp: seen.timestamp } });
    expect(response).toMatchObject({ success: true, data: { complete: true } });
    const at = second.packets.findIndex(({ type }) => type === 'response');
    const changes = second.packets.slice(0, at).map(({ body }) => body);
    const created = changes
      .filter((body) => body.operation === 'create' && body.object.type === 'Message')
      .map((body) => body.object.id);
    expect(created.filter((id) => missed.some((message) => message.id === id))).toEqual(
      missed.map(({ id }) => id),
    );
    const patched = changes.findIndex(
      (body) => body.operation === 'update' && hasStep({ body }, ({ property }) => property === 'metadata.k'),
    );
    expect(patched).toBeGreaterThan(changes.findIndex((body) => body.object.id === missed[1].id));
    expect(patched).toBeLessThan(changes.findIndex((body) => body.object.id === missed[2].id));
    expect(changes.at(-1).data).toContainEqual({
      operation: 'set',
      property: 'unread_message_count',
      value: 4,
    });
  });

  test('Event.replay from before the log sends what is kept, and says that it may be incomplete', async () => {
    const message = await say(ada, 'here');
    const adas = await connect(ada);
    const from_timestamp = '2001-02-03T04:05:06.789Z';
    const response = await adas.request('Event.replay', { data: { from_timestamp } });
    expect(response).toMatchObject({ success: true, data: { complete: false } });
    expect(adas.changes('Message').map(({ object }) => object.id)).toContain(message.id);
  });

  test('a malformed from_timestamp is invalid', async () => {
    const adas = await connect(ada);
    expect(await adas.request('Event.replay', { data: { from_timestamp: 'yesterday' } })).toMatchObject({
      success: false,
      data: { id: 'invalid_property' },
    });
    expect(await adas.request('Event.replay', {})).toMatchObject({
      success: false,
      data: { id: 'missing_property' },
    });
  });
});
