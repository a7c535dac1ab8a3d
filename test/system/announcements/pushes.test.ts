import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerPush } from '@parley/client/web-push';
import { startWebPushService, type WebPushService } from '@parley/testing/doubles/web-push-service';
import { generate } from 'selfsigned';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { until } from '../../support/until.ts';
import { subscribe as subscribeWebhook, waitFor } from '../../support/webhooks.ts';
import { testClients } from '../client/support.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

// The whole way of a push, from the request that sends a message to what the browser decrypts.

const folder = mkdtempSync(path.join(tmpdir(), 'parley-pushes-'));

let web: WebPushService;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let messages: string;
const open = testClients(() => app);

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const ca = path.join(folder, 'ca.pem');
  writeFileSync(ca, cert);
  web = await startWebPushService({ key, cert });
  const hosts = { PARLEY_PUSH_WEB_HOSTS: 'localhost' };
  const push = { ...hosts, PARLEY_PUSH_ALLOWED_CIDRS: '127.0.0.0/8,::1/128', NODE_EXTRA_CA_CERTS: ca };
  own = await ownPlatform({ env: { identity: hosts, push } });
  app = await createApp(own);
  ada = await app.login('ada', { display_name: 'Ada' });
  bob = await app.login('bob');
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  messages = `/conversations/${uuidOf(body.id)}/messages`;
});
afterAll(async () => {
  await own.stop();
  await web.stop();
  rmSync(folder, { recursive: true });
});

/** Registers a browser of a user's session. */
async function subscribe(user: TestUser): Promise<string> {
  const { public_key } = (await user.call('GET', '/push_key', 200)).body;
  const { endpoint: token, keys } = web.subscribe(public_key);
  const body = { type: 'web', device_id: randomUUID(), token, keys };
  await user.call('POST', '/push_tokens', 202, { body });
  return token;
}

async function send(text: string): Promise<string> {
  const body = { parts: [textPart(text)], notification: { title: 'Ada', text } };
  return (await ada.call('POST', messages, 201, { body })).body.id;
}

test('a message reaches the browsers of the session that is logged in, with the badge', async () => {
  const hook = await subscribeWebhook(app, ['Push.delivered', 'Push.failed']);
  const laptop = await app.login('bob');
  const left = await subscribe(laptop);
  const endpoint = await subscribe(bob);
  await bob.call('DELETE', `/sessions/${laptop.token}`, 204);
  const id = await send('Lunch?');
  const [push] = await web.wait(1);
  expect(push).toMatchObject({
    endpoint,
    payload: {
      message_id: id,
      title: 'Ada',
      text: 'Lunch?',
      badge: 1,
      sender: { user_id: 'ada', display_name: 'Ada' },
    },
  });
  await app.server('POST', '/notifications', 202, {
    body: { recipients: ['bob'], notification: { text: 'News' }, ttl: 60, data: { room: 7 } },
  });
  const [, news] = await web.wait(2);
  expect(news!.payload).toEqual({ text: 'News', badge: 1, data: { room: 7 } });
  expect(Number(news!.headers['ttl'])).toBeLessThanOrEqual(60);
  const listed = async () => (await app.server('GET', '/users/bob/pushes', 200)).body as Json[];
  const pushes = await until('both are recorded', async () => {
    const all = await listed();
    return all.every(({ status }) => status === 'delivered') ? all : undefined;
  });
  expect(pushes).toMatchObject([
    { message: null, provider: 'web', attempt_count: 1, reason: null },
    { message: id, provider: 'web', attempt_count: 1, reason: null },
  ]);
  const after = `/users/bob/pushes?page_size=1&from_id=${pushes[0].id}`;
  expect((await app.server('GET', after, 200)).body).toEqual([pushes[1]]);
  await app.server('GET', '/users/bob/pushes?from_id=nothing', 422);
  await app.server('GET', '/users/stranger/pushes', 404);
  const notice = await waitFor(hook, 'the result', ({ push }) => push?.id === pushes[1].id);
  expect(notice).toMatchObject({
    event: { id: pushes[1].id, type: 'Push.delivered' },
    push: { recipient: 'svc:///identities/bob', reason: null },
    message: { id },
  });
  await hook.receiver.stop();
  expect(web.received.map((one) => one.endpoint)).not.toContain(left);
  expect(web.faults).toEqual([]);
});

test('the client library registers a browser until its user logs out', async () => {
  let keyOfSubscription = '';
  const subscribeBrowser = (key: string) => {
    keyOfSubscription = key;
    const made = web.subscribe(key);
    return Promise.resolve({ toJSON: () => made, unsubscribe: () => Promise.resolve(true) });
  };
  const browser = {
    pushManager: {
      subscribe: (options: { applicationServerKey: string }) =>
        subscribeBrowser(options.applicationServerKey),
      getSubscription: () => Promise.resolve(null),
    },
  };
  const client = open('bob');
  await registerPush(client, browser);
  const { public_key } = (await client.request('GET', '/push_key')) as { public_key: string };
  expect(keyOfSubscription).toBe(public_key);
  const before = web.received.length;
  const id = await send('Dinner?');
  // To the browser of the test before, and to this one.
  const pushes = (await web.wait(before + 2)).slice(before);
  expect(pushes.map(({ payload }) => payload['message_id'])).toEqual([id, id]);
  await client.logout();
  const after = await send('Breakfast?');
  await web.wait(before + 3);
  await until('the next push is recorded', async () => {
    const [newest] = (await app.server('GET', '/users/bob/pushes?page_size=1', 200)).body as Json[];
    return newest.message === after && newest.status === 'delivered' ? true : undefined;
  });
  expect(web.received.slice(before + 2).map(({ payload }) => payload['message_id'])).toEqual([after]);
  expect(web.faults).toEqual([]);
});
