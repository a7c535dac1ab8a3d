import { createApp, type TestApp, type TestUser } from '../support/app.ts';
import type { Json } from '../support/json.ts';
import { platform } from '../support/platform.ts';
import type { Packet, TestSocket } from '../support/socket.ts';
import { until } from '../support/until.ts';

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

const connect = async (user: TestUser): Promise<TestSocket> => {
  const socket = await user.connect();
  sockets.push(socket);
  return socket;
};

const shows = (user: TestUser, status: string) => (packet: Packet) =>
  packet.type === 'change' &&
  packet.body.operation === 'update' &&
  packet.body.object.type === 'Identity' &&
  packet.body.object.id === user.uri &&
  packet.body.data.some((step: Json) => step.property === 'presence.status' && step.value === status);

const statusOf = async (socket: TestSocket, user: TestUser): Promise<[string, string | null]> => {
  const { success, data } = await socket.request('Presence.sync', { data: { ids: [user.uri] } });
  expect(success).toBe(true);
  const steps: Json[] = data.changes[0].data;
  const valueOf = (property: string) => steps.find((step) => step.property === `presence.${property}`)?.value;
  return [valueOf('status'), valueOf('last_seen_at')];
};

const untilStatus = (socket: TestSocket, user: TestUser, status: string) =>
  until(`${user.id} is ${status}`, async () => {
    const [now] = await statusOf(socket, user);
    return now === status || undefined;
  });

const appear = (status: string) => ({ data: [{ operation: 'set', property: 'status', value: status }] });

test('subscribers are told when somebody comes, changes and goes', async () => {
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

test('somebody invisible is offline to others, and is told what they are themselves', async () => {
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

test('who comes back at once was never away', async () => {
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

test('sync tells what changed since a time among those subscribed to', async () => {
  const watcher = await connect(ada);
  const cat = await app.login('cat');
  const [bobs] = [await connect(bob), await connect(cat)];
  await untilStatus(watcher, cat, 'available');
  await watcher.request('Presence.subscribe', { data: { ids: [bob.uri, cat.uri] } });
  const { timestamp } = await watcher.waitFor('an answer', ({ type }) => type === 'response');
  await new Promise((resolve) => setTimeout(resolve, 5));
  const since = new Date(Math.max(Date.parse(timestamp), Date.now())).toISOString();
  await bobs.request('Presence.update', appear('away'));
  const { data } = await watcher.request('Presence.sync', { data: { since } });
  expect(data.changes.map(({ object }: Json) => object.id)).toEqual([bob.uri]);
});

test('without ids everybody followed is subscribed to', async () => {
  await ada.call('PUT', '/following/users/bo.b', 204);
  const watcher = await connect(ada);
  expect(await watcher.request('Presence.subscribe')).toMatchObject({ success: true });
  await connect(bob);
  await watcher.waitFor('bob comes', shows(bob, 'available'));
});

test.each([
  ['Presence.update', [{ operation: 'set', property: 'status', value: 'asleep' }], 'invalid_property'],
  ['Presence.update', [{ operation: 'delete', property: 'status' }], 'invalid_property'],
  ['Presence.update', [], 'missing_property'],
  ['Presence.update', { status: 'busy' }, 'invalid_request'],
  ['Presence.subscribe', { ids: 'bob' }, 'invalid_property'],
  ['Presence.sync', { since: 'yesterday' }, 'invalid_property'],
  ['Presence.sync', {}, 'missing_property'],
])('%s %j is refused', async (method, data, id) => {
  const socket = await connect(ada);
  expect(await socket.request(method, { data })).toMatchObject({ success: false, data: { id } });
});

test('a status that there is not is refused', async () => {
  const { body } = await ada.call('PUT', '/presence', 422, { body: { status: 'asleep' } });
  expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'status' } });
  await ada.call('PUT', '/presence', 422, { body: {} });
});
