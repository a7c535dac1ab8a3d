import { until } from '../../../../test/support/until.ts';
import { scriptedPlatform, type ScriptedPlatform } from './scripted-platform.ts';

let platform: ScriptedPlatform;

beforeEach(() => {
  platform = scriptedPlatform();
});
afterEach(() => platform.client.destroy());

const status = () => platform.client.connection.getSnapshot().status;
const socket = (number: number) => until(`socket ${number}`, () => platform.sockets[number - 1]);
const list = (number: number) => until(`request ${number} of the list`, () => platform.lists[number - 1]);
const isLive = () => until('the client is online', () => status() === 'online' || undefined);

test('a client without a cursor reads the lists, and is online then', async () => {
  (await socket(1)).sayHello();
  const listed = await list(1);
  expect(status()).toBe('connecting');
  listed.resolve();
  await isLive();
});

test('a connection that ends while the lists are read is not online once they are read', async () => {
  const first = await socket(1);
  first.sayHello();
  const listed = await list(1);
  first.end(1006);
  const second = await socket(2);
  listed.resolve();
  await until('the lists are read', () => platform.diagnostics.includes('read_afresh') || undefined);
  // Each waits for all work on the records before it.
  for (let times = 0; times < 3; times++)
    await platform.client.markAnnouncementRead(`svc:///announcements/${times}`);
  expect(status()).toBe('connecting');
  second.sayHello();
  await until('the replay', () => second.requests.length === 1 || undefined);
  second.answer({ complete: true });
  await isLive();
});

test('a packet that is lost has what came since replayed, and one lost meanwhile once more', async () => {
  const only = await socket(1);
  only.sayHello();
  (await list(1)).resolve();
  await isLive();
  only.losePacket();
  await until('the replay', () => only.requests.length === 1 || undefined);
  expect(status()).toBe('online');
  only.losePacket();
  only.answer({ complete: true });
  await until('another replay', () => only.requests.length === 2 || undefined);
  only.answer({ complete: true });
  only.losePacket();
  await until('a replay of the live client', () => only.requests.length === 3 || undefined);
  expect(only.requests.map(({ method }) => method)).toEqual(Array(3).fill('Event.replay'));
});

test('a log that does not reach back has the lists read again', async () => {
  const only = await socket(1);
  only.sayHello();
  (await list(1)).resolve();
  await isLive();
  only.losePacket();
  await until('the replay', () => only.requests.length === 1 || undefined);
  only.answer({ complete: false });
  (await list(2)).resolve();
  only.losePacket();
  await until('the next replay', () => only.requests.length === 2 || undefined);
});

test('the application ends and opens the connection in every state', async () => {
  const { client } = platform;
  const first = await socket(1);
  client.disconnect();
  expect(status()).toBe('offline');
  client.connect();
  const second = await socket(2);
  first.sayHello();
  expect(platform.lists).toHaveLength(0);
  second.sayHello();
  await list(1);
  client.disconnect();
  client.connect();
  (await socket(3)).sayHello();
  (await list(2)).resolve();
  await isLive();
  client.disconnect();
  expect(status()).toBe('offline');
});
