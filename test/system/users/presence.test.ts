import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type Packet, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let sockets: TestSocket[];

beforeEach(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bo.b')]);
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) if (!socket.closed) await socket.close();
});

async function connect(user: TestUser): Promise<TestSocket> {
  const socket = await user.connect();
  sockets.push(socket);
  return socket;
}

function shows(user: TestUser, status: string) {
  return (packet: Packet) =>
    packet.type === 'change' &&
    packet.body.operation === 'update' &&
    packet.body.object.type === 'Identity' &&
    packet.body.object.id === user.uri &&
    packet.body.data.some((step: Json) => step.property === 'presence.status' && step.value === status);
}

async function statusOf(socket: TestSocket, user: TestUser): Promise<[string, string | null]> {
  const { success, data } = await socket.request('Presence.sync', { data: { ids: [user.uri] } });
  expect(success).toBe(true);
  const steps: Json[] = data.changes[0].data;
  const valueOf = (property: string) => steps.find((step) => step.property === `presence.${property}`)?.value;
  return [valueOf('status'), valueOf('last_seen_at')];
}

function untilStatus(socket: TestSocket, user: TestUser, status: string) {
  return until(`${user.id} is ${status}`, async () => {
    const [now] = await statusOf(socket, user);
    return now === status || undefined;
  });
}

function appear(status: string) {
  return { data: [{ operation: 'set', property: 'status', value: status }] };
}

test('subscribers learn when a user connects, changes status and disconnects', async () => {
  const watcher = await connect(ada);
  expect(await statusOf(watcher, bob)).toEqual(['offline', null]);
  expect(await watcher.request('Presence.subscribe', { data: { ids: [bob.uri] } })).toMatchObject({
    success: true,
    data: {},
  });
  const bobs = await connect(bob);
  const came = await watcher.waitFor('bob comes', shows(bob, 'available'));
  expect(came.body).toEqual({
    operation: 'update',
    object: { type: 'Identity', id: bob.uri, url: expect.stringContaining('/identities/bo.b') },
    data: [
      { operation: 'set', property: 'presence.status', value: 'available' },
      { operation: 'set', property: 'presence.last_seen_at', value: expect.stringMatching(/Z$/) },
    ],
  });
  expect(await bobs.request('Presence.update', appear('busy'))).toMatchObject({ success: true });
  await watcher.waitFor('bob is busy', shows(bob, 'busy'));
  await bob.call('PUT', '/presence', 204, { body: { status: 'away' } });
  await watcher.waitFor('bob is away', shows(bob, 'away'));
  const { body } = await app.server('GET', '/users/bo.b/identity', 200);
  expect(body.presence.status).toBe('away');
  await bobs.close();
  const gone = await watcher.waitFor('bob goes', shows(bob, 'offline'));
  const [, seen] = await statusOf(watcher, bob);
  expect(gone.body.data[1].value).toBe(seen);
  expect(Date.parse(seen ?? '')).toBeGreaterThan(Date.parse(came.body.data[1].value));
});

test('an invisible user is offline to other users, and sees their own status', async () => {
  const [watcher, bobs] = [await connect(ada), await connect(bob)];
  await untilStatus(watcher, bob, 'available');
  for (const socket of [watcher, bobs]) {
    await socket.request('Presence.subscribe', { data: { ids: ['bo.b'] } });
  }
  await bobs.request('Presence.update', appear('invisible'));
  await watcher.waitFor('bob looks offline', shows(bob, 'offline'));
  await bobs.waitFor('bob is invisible', shows(bob, 'invisible'));
  expect((await statusOf(watcher, bob))[0]).toBe('offline');
  expect((await statusOf(bobs, bob))[0]).toBe('invisible');
  const [, hiddenSince] = await statusOf(watcher, bob);
  await bobs.request('Presence.update', appear('available'));
  await watcher.waitFor('bob is back', shows(bob, 'available'));
  expect(Date.parse((await statusOf(watcher, bob))[1] ?? '')).toBeGreaterThanOrEqual(
    Date.parse(hiddenSince ?? ''),
  );
});

test('a user who reconnects at once stays online', async () => {
  const watcher = await connect(ada);
  const first = await connect(bob);
  await untilStatus(watcher, bob, 'available');
  await watcher.request('Presence.subscribe', { data: { ids: [bob.uri] } });
  await first.close();
  const second = await connect(bob);
  await second.request('Presence.update', appear('busy'));
  await watcher.waitFor('bob is busy', shows(bob, 'busy'));
  expect(watcher.changes('Identity').map(({ data }) => data[0].value)).toEqual(['busy']);
});

test('sync returns changes since a time, of users subscribed to', async () => {
  const watcher = await connect(ada);
  const cat = await app.login('cat');
  const [bobs] = [await connect(bob), await connect(cat)];
  for (const user of [bob, cat]) await untilStatus(watcher, user, 'available');
  await watcher.request('Presence.subscribe', { data: { ids: [bob.uri, cat.uri] } });
  const seen = await Promise.all([bob, cat].map(async (user) => (await statusOf(watcher, user))[1] ?? ''));
  const since = new Date(Math.max(...seen.map((time) => Date.parse(time))) + 1).toISOString();
  await bobs.request('Presence.update', appear('away'));
  const { data } = await watcher.request('Presence.sync', { data: { since } });
  expect(data.changes.map(({ object }: Json) => object.id)).toEqual([bob.uri]);
});

test('without ids all followed users are subscribed to', async () => {
  await ada.call('PUT', '/following/users/bo.b', 204);
  const watcher = await connect(ada);
  expect(await watcher.request('Presence.subscribe')).toMatchObject({ success: true });
  await connect(bob);
  await watcher.waitFor('bob comes', shows(bob, 'available'));
});

/** Changes a user’s status until a watcher gets one of the changes. */
async function untilTold(watcher: TestSocket, user: TestUser): Promise<void> {
  const told = () =>
    watcher.packets.filter((packet) => ['busy', 'away'].some((status) => shows(user, status)(packet)));
  const before = told().length;
  let changes = 0;
  await until(`${user.id} is watched`, async () => {
    await user.call('PUT', '/presence', 204, { body: { status: changes++ % 2 === 0 ? 'busy' : 'away' } });
    return told().length > before || undefined;
  });
}

test('a subscription to all followed users includes later follows, of either kind, and excludes later unfollows', async () => {
  const cat = await app.login('cat');
  const watcher = await connect(ada);
  for (const user of [bob, cat]) await connect(user);
  await watcher.request('Presence.subscribe');
  await ada.call('PUT', '/following/users/bo.b', 204);
  await untilTold(watcher, bob);
  await ada.call('POST', '/conversations', 201, { body: { participants: [cat.uri] } });
  await untilTold(watcher, cat);
  await ada.call('DELETE', '/following/users/bo.b', 204);
  await until('bob is watched no more', async () => {
    const { data } = await watcher.request('Presence.sync', { data: { since: new Date(0).toISOString() } });
    return data.changes.every(({ object }: Json) => object.id !== bob.uri) || undefined;
  });
  const told = watcher.packets.filter(
    (packet) => packet.type === 'change' && packet.body.object.id === bob.uri,
  );
  await bob.call('PUT', '/presence', 204, { body: { status: 'available' } });
  await untilTold(watcher, cat);
  expect(watcher.packets.filter(({ type, body }) => type === 'change' && body.object.id === bob.uri)).toEqual(
    told,
  );
});

describe('identities are shown with the presence of their users', () => {
  const presenceIn = (body: Json, user: TestUser): Json =>
    [body].flat().find(({ id, identity }: Json) => (id ?? identity?.id) === user.uri);

  test('on every path that shows them', async () => {
    await ada.call('PUT', '/following/users/bo.b', 204);
    const watcher = await connect(ada);
    await connect(bob);
    await bob.call('PUT', '/presence', 204, { body: { status: 'busy' } });
    await untilStatus(watcher, bob, 'busy');
    const [, seen] = await statusOf(watcher, bob);
    const expected = { status: 'busy', last_seen_at: seen };
    const answers = [
      await ada.call('GET', '/identities/bo.b', 200),
      await ada.call('GET', '/identities', 200),
      await app.server('GET', '/users/bo.b', 200),
      await app.server('GET', '/users/bo.b/identity', 200),
      await app.server('GET', '/users/ada/identities', 200),
      await app.server('GET', '/users/ada/identities/bo.b', 200),
    ];
    for (const { body } of answers) {
      const found = presenceIn(body, bob);
      expect((found.identity ?? found).presence).toEqual(expected);
    }
  });

  test('only the user themselves sees that they are invisible', async () => {
    const watcher = await connect(ada);
    await connect(bob);
    await untilStatus(watcher, bob, 'available');
    await bob.call('PUT', '/presence', 204, { body: { status: 'invisible' } });
    const statusSeenBy = async (user: TestUser) =>
      (await user.call('GET', '/identities/bo.b', 200)).body.presence.status;
    expect([await statusSeenBy(ada), await statusSeenBy(bob)]).toEqual(['offline', 'invisible']);
    expect((await app.server('GET', '/users/bo.b', 200)).body.identity.presence.status).toBe('offline');
  });

  test('in the packet that creates them, live and replayed', async () => {
    await ada.call('PUT', '/following/users/bo.b', 204);
    const watcher = await connect(ada);
    const bobs = await connect(bob);
    await untilStatus(watcher, bob, 'available');
    await bobs.close();
    await untilStatus(watcher, bob, 'offline');
    const [, seen] = await statusOf(watcher, bob);
    await app.server('DELETE', '/users/bo.b/identity', 204);
    const gone = await watcher.waitFor('bob is deleted', isChange('delete', 'Identity', bob.uri));
    await app.server('POST', '/users/bo.b/identity', 201, { body: { display_name: 'Bob' } });
    const presence = { status: 'offline', last_seen_at: seen };
    // Following him has made a packet of its own.
    const isCreated = isChange('create', 'Identity', bob.uri);
    const created = await watcher.waitFor(
      'bob is back',
      (packet) => packet.counter > gone.counter && isCreated(packet),
    );
    expect(created.body.data.presence).toEqual(presence);
    const other = await connect(ada);
    await other.request('Event.replay', { data: { from_timestamp: gone.timestamp } });
    const replayed = await other.waitFor('it is replayed', isChange('create', 'Identity', bob.uri));
    expect(replayed.body.data.presence).toEqual(presence);
  });
});

describe('the choice auto ends a choice', () => {
  test.each([
    ['by REST', () => bob.call('PUT', '/presence', 204, { body: { status: 'auto' } })],
    ['over a socket', async () => (await connect(bob)).request('Presence.update', appear('auto'))],
  ])('%s', async (_, end) => {
    const watcher = await connect(ada);
    const bobs = await connect(bob);
    expect(await bobs.request('Presence.update', appear('invisible'))).toMatchObject({ success: true });
    expect((await statusOf(bobs, bob))[0]).toBe('invisible');
    await end();
    await untilStatus(watcher, bob, 'available');
    for (const socket of sockets) if (socket !== watcher) await socket.close();
    await untilStatus(watcher, bob, 'offline');
    await connect(bob);
    await untilStatus(watcher, bob, 'available');
  });
});

test.each([
  ['Presence.update', [{ operation: 'set', property: 'status', value: 'asleep' }], 'invalid_property'],
  ['Presence.update', [{ operation: 'delete', property: 'status' }], 'invalid_property'],
  ['Presence.update', [], 'missing_property'],
  ['Presence.update', { status: 'busy' }, 'invalid_request'],
  ['Presence.subscribe', { ids: 'bob' }, 'invalid_property'],
  ['Presence.sync', { since: 'yesterday' }, 'invalid_property'],
  ['Presence.sync', {}, 'missing_property'],
  ['Presence.subscribe', ['bob'], 'invalid_request'],
  ['Presence.sync', 'bob', 'invalid_request'],
])('%s %j is refused', async (method, data, id) => {
  const socket = await connect(ada);
  expect(await socket.request(method, { data })).toMatchObject({ success: false, data: { id } });
});

test('an unknown status is refused', async () => {
  const { body } = await ada.call('PUT', '/presence', 422, { body: { status: 'asleep' } });
  expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'status' } });
  await ada.call('PUT', '/presence', 422, { body: {} });
});
