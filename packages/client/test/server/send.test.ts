import { KeyObject } from 'node:crypto';
import { call } from '../../../../test/support/http.ts';
import { signIdentityToken } from '../../src/server/index.ts';
import { serverWorld, type ServerWorld } from './world.ts';

const parts = [{ mime_type: 'text/plain' as const, body: 'Hello' }];

let world: ServerWorld;

beforeAll(async () => {
  world = await serverWorld();
  await world.server.createIdentity('ada', { display_name: 'Ada' });
});

/** A `fetch` that loses the first answers, after the platform has performed the requests. */
function losing(count: number): typeof fetch {
  let lost = 0;
  return async (...args) => {
    const response = await fetch(...args);
    if (lost++ < count) throw new TypeError('fetch failed');
    return response;
  };
}

test('the platform accepts a signed identity token', async () => {
  const { app } = world;
  const { nonce } = (await call('POST', `${app.baseUrl}/nonces`, 201)).body;
  const privateKey = KeyObject.from(app.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  const identity_token = await signIdentityToken({
    ...{ userId: 'zoë', nonce, providerId: app.providerId, keyId: app.keyId, privateKey },
    profile: { display_name: 'Zoë' },
  });
  await call('POST', `${app.baseUrl}/sessions`, 201, { body: { identity_token, app_id: app.appId } });
  expect((await world.server.getIdentity('zoë')).display_name).toBe('Zoë');
});

test('a request whose answer got lost is repeated, and performed once', async () => {
  const { id } = await world.server.createConversation({ participants: ['ada'], distinct: false });
  const sent = await world.clientWith({ fetch: losing(2) }).sendMessage(id, { sender_id: 'ada', parts });
  expect((await world.server.listMessages(id)).map((message) => message.id)).toEqual([sent?.id]);
});

test('a deletion whose answer got lost succeeds', async () => {
  const { server } = world;
  await server.createIdentity('gone', { display_name: 'Gone' });
  await world.clientWith({ fetch: losing(1) }).deleteIdentity('gone');
  await expect(server.getIdentity('gone')).rejects.toMatchObject({ status: 404 });
});

test('without retries a lost answer is an error', async () => {
  const client = world.clientWith({ fetch: losing(1), retries: 0 });
  await expect(client.getUser('ada')).rejects.toMatchObject({ id: 'network_error', code: 0 });
});

test('the caller cancels a request that waits for its next try', async () => {
  const controller = new AbortController();
  const failing: typeof fetch = () => {
    controller.abort();
    return Promise.reject(new TypeError('fetch failed'));
  };
  const request = world.clientWith({ fetch: failing }).getUser('ada', { signal: controller.signal });
  await expect(request).rejects.toMatchObject({ id: 'request_canceled' });
});

test('what is not an answer of the API is an error of the library', async () => {
  const proxy: typeof fetch = () => Promise.resolve(new Response('<html>', { status: 502 }));
  const client = world.clientWith({ fetch: proxy, retries: 0 });
  await expect(client.getUser('ada')).rejects.toMatchObject({ id: 'invalid_answer', status: 502 });
});
