import { createApp, uuidOf, type TestApp } from '../../support/app.ts';
import { insertIdentities, LONGEST_AVATAR, LONGEST_NAME } from '../../support/identities.ts';
import { startNatsProxy, type NatsProxy } from '@parley/testing';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

// A gateway repairs missed live events although each change has the largest possible size.

const CHANGES = 16;
const MEMBERS = Array.from({ length: 249 }, (_, index) => `member ${index}`);

let proxy: NatsProxy;
let own: OwnPlatform;
let app: TestApp;

beforeAll(async () => {
  proxy = await startNatsProxy();
  own = await ownPlatform({ env: { gateway: { PARLEY_NATS_URL: proxy.url } } });
  proxy.connectTo(own.running.state.nats_url);
  app = await createApp(own);
}, 60_000);

afterAll(async () => {
  await own?.stop();
  await proxy?.stop();
});

test('changes of a group of 250 with the longest names that are lost on their way reach an open socket, each in order', async () => {
  await insertIdentities(own.running.state.postgres_url, app, MEMBERS, {
    displayName: LONGEST_NAME,
    avatarUrl: LONGEST_AVATAR,
  });
  const ada = await app.login('ada');
  const body = { participants: MEMBERS, distinct: false };
  const { id } = (await ada.call('POST', '/conversations', 201, { body })).body;
  const socket = await ada.connect();
  const change = (value: string) =>
    ada.call('PATCH', `/conversations/${uuidOf(id)}`, 204, {
      body: [{ operation: 'set', property: 'metadata.number', value }],
    });
  const numbers = () =>
    socket
      .changes('Conversation')
      .filter(({ operation }) => operation === 'update')
      .flatMap(({ data }) => data.map(({ value }: { value: string }) => value));
  await until('live changes arrive', async () => {
    await change('live');
    return numbers().length > 0 || undefined;
  });
  const before = numbers().length;
  proxy.swallow();
  const wanted = Array.from({ length: CHANGES }, (_, index) => String(index));
  for (const value of wanted) await change(value);
  await until('every change has come', () => numbers().at(-1) === wanted.at(-1) || undefined, 30_000);
  const came = numbers()
    .slice(before)
    .filter((value) => value !== 'live');
  expect(came).toEqual(wanted);
  expect(socket.closed).toBeUndefined();
}, 120_000);
