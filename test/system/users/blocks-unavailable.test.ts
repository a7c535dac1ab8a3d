import { createTestDatabase, startTcpProxy, type TcpProxy } from '@parley/testing';
import { createApp, textPart, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

let proxy: TcpProxy;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;

beforeAll(async () => {
  proxy = await startTcpProxy(await createTestDatabase());
  own = await ownPlatform({ env: { messaging: { PARLEY_DATABASE_URL: proxy.url } } });
  app = await createApp(own);
  [ada, bob] = [await app.login('ada'), await app.login('bob')];
  conversation = (await bob.call('POST', '/conversations', 201, { body: { participants: ['ada'] } })).body;
}, 60_000);

afterAll(async () => {
  await own?.stop();
  await proxy?.stop();
});

afterEach(() => proxy.restore());

/** Whether a message that is sent now is shown to the owner of the block. */
async function isShown(): Promise<boolean> {
  const { body: message } = await bob.call('POST', conversation.messages_url, 201, {
    body: { parts: [textPart('hello')] },
  });
  const { body: list } = await ada.call('GET', conversation.messages_url, 200);
  return list.some(({ id }: Json) => id === message.id);
}

/** The first answer to a request that does not say that a service is unavailable. */
function untilAnswered(user: TestUser, method: string, path: string, expected: number) {
  return until(
    `${method} ${path} is answered`,
    () => user.call(method, path, expected).catch(() => undefined),
    20_000,
  );
}

test('while messaging is down a block is answered with 503, and a repeat that succeeds holds', async () => {
  proxy.cut();
  const refused = await ada.call('PUT', '/blocks/bob', 503);
  expect(refused.body).toMatchObject({ id: 'service_unavailable' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ada.call('GET', '/blocks', 200)).body).toMatchObject([{ user_id: 'bob' }]);
  proxy.restore();
  await untilAnswered(ada, 'PUT', '/blocks/bob', 204);
  expect(await isShown()).toBe(false);
});

test('unblocking is answered with 503 too, also for a server, and the event completes a request that is not repeated', async () => {
  proxy.cut();
  const body = [{ operation: 'set', property: 'blocks', value: [] }];
  const refused = await app.server('PATCH', '/users/ada', 503, { body });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  proxy.restore();
  await untilAnswered(ada, 'GET', '/conversations', 200);
  await until(
    'a message is shown again',
    async () => (await isShown().catch(() => false)) || undefined,
    20_000,
  );
});
