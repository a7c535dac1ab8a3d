import { createApp, identityUri, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { startNatsProxy, type NatsProxy } from '@parley/testing';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let proxy: NatsProxy;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
const open: TestSocket[] = [];

beforeAll(async () => {
  proxy = await startNatsProxy();
  own = await ownPlatform({
    replicas: { gateway: 2 },
    env: { '*': { PARLEY_NATS_URL: proxy.url } },
  });
  proxy.connectTo(own.running.state.nats_url);
  app = await createApp(own);
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});

afterEach(async () => {
  proxy.restore();
  await Promise.all(open.splice(0).map((socket) => socket.close()));
});

afterAll(async () => {
  await own?.stop();
  await proxy?.stop();
});

async function connect(user: TestUser, baseUrl = own.baseUrl): Promise<TestSocket> {
  const socket = await user.connect({ baseUrl });
  open.push(socket);
  return socket;
}
function secondGateway() {
  const found = own.running.state.processes.find(({ name }) => name === 'gateway-2');
  return `http://127.0.0.1:${found?.http_port}`;
}
function path() {
  return `/conversations/${uuidOf(conversation.id)}`;
}
/** Ada writes by the gateway that Bob is not connected to, from which he learns by NATS alone. */
async function say(text: string, baseUrl = secondGateway()) {
  const body = { parts: [textPart(text)] };
  return (await ada.call('POST', `${baseUrl}${path()}/messages`, 201, { body })).body;
}
function created(socket: TestSocket): string[] {
  return socket
    .changes('Message')
    .filter(({ operation }) => operation === 'create')
    .map(({ object }) => object.id);
}

/** Bob's socket on a gateway that is connected to NATS, after it received a first message. */
async function listening(): Promise<TestSocket> {
  const bobs = await connect(bob);
  await until('live events arrive', async () => {
    const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
    conversation = body;
    const first = await say('first');
    return bobs.waitFor('first', isChange('create', 'Message', first.id), 1500).catch(() => undefined);
  });
  return bobs;
}

describe('a live event that is lost on its way to the gateway', () => {
  test('arrives within two seconds without a further event', async () => {
    const bobs = await listening();
    const before = proxy.lost;
    proxy.loseNext(/^live\..*\.event$/);
    const message = await say('lost');
    await bobs.waitFor('the lost message', isChange('create', 'Message', message.id), 2000);
    expect(proxy.lost).toBe(before + 1);
  });

  test('arrives before later events', async () => {
    const bobs = await listening();
    const before = proxy.lost;
    proxy.loseNext(/^live\..*\.event$/);
    const lost = await say('lost');
    const messages = [lost, await say('next'), await say('last')];
    await bobs.waitFor('the last message', isChange('create', 'Message', messages[2].id), 2000);
    expect(proxy.lost).toBe(before + 1);
    expect(created(bobs).slice(-3)).toEqual(messages.map(({ id }) => id));
  });

  test('arrives when it is the first of a conversation', async () => {
    const bobs = await listening();
    const before = proxy.lost;
    proxy.loseNext(/^live\..*\.event$/);
    const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
    await bobs.waitFor('the conversation', isChange('create', 'Conversation', body.id), 2000);
    expect(proxy.lost).toBe(before + 1);
  });

  test('arrives with the resulting unread count', async () => {
    const bobs = await listening();
    proxy.loseNext(/^live\..*\.event$/);
    await say('lost');
    const told = await bobs.waitFor(
      'the number',
      (packet) =>
        isChange('update', 'Conversation', conversation.id)(packet) &&
        packet.body.data.some((step: Json) => step.property === 'unread_message_count' && step.value === 2),
      10_000,
    );
    expect(told).toBeDefined();
  });
});

describe('a live event without a number that is lost on its way', () => {
  const announce = async () => {
    const body = { recipients: ['bob'], sender_id: 'ada', parts: [textPart('hear')] };
    return (await app.server('POST', '/announcements', 202, { body })).body;
  };
  const changesOf = (socket: TestSocket, type: string) =>
    socket.changes(type).map(({ operation, object }) => [operation, object.id]);

  test('an announcement arrives', async () => {
    const bobs = await listening();
    const before = proxy.lost;
    proxy.loseNext(/^live\..*\.event$/);
    const { id } = await announce();
    await bobs.waitFor('the announcement', isChange('create', 'Announcement', id), 10_000);
    expect(proxy.lost).toBe(before + 1);
    expect(changesOf(bobs, 'Announcement')).toEqual([['create', id]]);
  });

  test('a deletion of an announcement arrives, and earlier events arrive in order', async () => {
    const bobs = await listening();
    const { id } = await announce();
    await bobs.waitFor('the announcement', isChange('create', 'Announcement', id), 10_000);
    proxy.loseNext(/^live\..*\.event$/);
    await bob.call('DELETE', `/announcements/${uuidOf(id)}`, 204);
    await bobs.waitFor('the deletion', isChange('delete', 'Announcement', id), 10_000);
    expect(changesOf(bobs, 'Announcement').at(-1)).toEqual(['delete', id]);
  });

  test('a change of a followed identity arrives with its present fields', async () => {
    const bobs = await listening();
    await bob.call('PUT', '/following/users/ada', 204);
    const before = proxy.lost;
    proxy.loseNext(/^live\..*\.event$/);
    await app.server('PATCH', '/users/ada/identity', 204, { body: { display_name: 'Ada the First' } });
    const changed = await bobs.waitFor(
      'the new name',
      isChange('update', 'Identity', identityUri('ada')),
      10_000,
    );
    expect(proxy.lost).toBe(before + 1);
    const steps: Json[] = changed.body.data;
    expect(steps).toContainEqual({ operation: 'set', property: 'display_name', value: 'Ada the First' });
  });

  test('events that were not lost arrive once', async () => {
    const bobs = await listening();
    const first = await announce();
    await bobs.waitFor('the announcement', isChange('create', 'Announcement', first.id), 10_000);
    proxy.loseNext(/^live\..*\.event$/);
    const second = await announce();
    await bobs.waitFor('what was lost', isChange('create', 'Announcement', second.id), 10_000);
    expect(changesOf(bobs, 'Announcement')).toEqual([
      ['create', first.id],
      ['create', second.id],
    ]);
  });
});

describe('while NATS is down', () => {
  test('messages are accepted, and reach the sockets in order afterwards', async () => {
    const bobs = await listening();
    proxy.cut();
    const sent = [await say('one'), await say('two'), await say('three')];
    proxy.restore();
    const last = sent[2];
    await bobs.waitFor('the last message', isChange('create', 'Message', last.id), 10_000);
    const ids = sent.map(({ id }) => id);
    // Messages in flight may be sent again, since their acknowledgements were lost with the connection.
    expect(created(bobs).filter((id) => ids.includes(id))).toEqual(ids);
  });

  test('each participant gets their own view of a conversation that begins and that its creator leaves', async () => {
    await connect(ada);
    const bobs = await listening();
    proxy.cut();
    const { body: begun } = await ada.call('POST', '/conversations', 201, {
      body: { participants: ['bob'] },
    });
    const at = `/conversations/${uuidOf(begun.id)}`;
    await ada.call('POST', `${at}/messages`, 201, { body: { parts: [textPart('and gone')] } });
    await ada.call('DELETE', `${at}?mode=my_devices&leave=true`, 204);
    proxy.restore();
    await bobs.waitFor('the conversation', isChange('create', 'Conversation', begun.id), 10_000);
    await bobs.waitFor(
      'his unread count',
      (packet) =>
        isChange('update', 'Conversation', begun.id)(packet) &&
        packet.body.data.some(
          ({ property, value }: Json) => property === 'unread_message_count' && value === 1,
        ),
      10_000,
    );
  });

  test('a session that ends is refused within two seconds by every gateway, and its sockets are closed', async () => {
    const kim = await app.login('kim');
    const there = secondGateway();
    const sockets = [await connect(kim), await connect(kim, there)];
    const headers = { authorization: `Svc session-token="${kim.token}"` };
    await call('GET', `${there}/conversations`, 200, { headers });
    proxy.cut();
    const began = Date.now();
    await kim.call('DELETE', `/sessions/${kim.token}`, 204);
    const refused = () => call('GET', `${there}/conversations`, 401, { headers }).catch(() => undefined);
    await until('the second gateway refuses the token', refused, 2000);
    for (const socket of sockets) {
      expect((await socket.untilClosed(2000 - (Date.now() - began))).code).toBe(4401);
    }
    await kim.call('GET', '/conversations', 401);
  });
});
