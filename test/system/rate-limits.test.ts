import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../support/app.ts';
import { call, type Answer } from '../support/http.ts';
import { limitedUrl, platform } from '../support/platform.ts';

// The gateway of these tests grants half of what is configured: bursts of 5, 10 and 6, and 1 a second.

let app: TestApp;
let url: string;

beforeAll(async () => {
  app = await createApp(await platform());
  url = await limitedUrl();
});

type Send = (expected: number) => Promise<Answer>;

/** How many are granted before the first is refused, and the refusal. */
async function exhaust(send: Send, expected: number): Promise<{ granted: number; refusal: Answer }> {
  for (let granted = 0; granted < 100; granted++) {
    const refusal = await send(429).catch((error: Error) => {
      if (!error.message.includes(`got ${expected}`)) throw error;
    });
    if (refusal) return { granted, refusal };
  }
  throw new Error('never refused');
}

function expectRefusal({ headers, body }: Answer, policy: string): void {
  expect(body).toMatchObject({ id: 'rate_limit_exceeded', code: 7 });
  expect(headers['retry-after']).toBe('1');
  expect(headers['ratelimit']).toBe(`"${policy}";r=0;t=1`);
}

test('a session gets a burst, then 429 with when to come back, and is let in by then', async () => {
  const [ada, bob] = [await app.login('ada'), await app.login('bob')];
  const list = (user: typeof ada) => (status: number) => user.call('GET', `${url}/conversations`, status);
  const { granted, refusal } = await exhaust(list(ada), 200);
  expect(granted).toBeGreaterThanOrEqual(5);
  expect(granted).toBeLessThan(10);
  expectRefusal(refusal, 'session');
  await list(bob)(200);
  await new Promise((resolve) => setTimeout(resolve, 1000 * Number(refusal.headers['retry-after'])));
  await list(ada)(200);
});

test('an access token has a bucket of its own', async () => {
  const headers = { authorization: `Bearer ${app.accessToken}` };
  const list = (status: number) =>
    call('GET', `${url}/apps/${app.appUuid}/conversations`, status, { headers });
  const { granted, refusal } = await exhaust(list, 200);
  expect(granted).toBeGreaterThanOrEqual(10);
  expectRefusal(refusal, 'access_token');
});

test('nonces and sessions count for the address that the proxy saw, whatever the client writes', async () => {
  const address = `2001:db8:${randomUUID().slice(0, 4)}:1`;
  let spoofed = 0;
  const nonce = (status: number, host = '1') => {
    const forwarded = `10.9.8.${++spoofed}, ${address}::${host}`;
    return call('POST', `${url}/nonces`, status, { headers: { 'x-forwarded-for': forwarded } });
  };
  const { granted, refusal } = await exhaust((status) => nonce(status), 201);
  expect(granted).toBeGreaterThanOrEqual(6);
  expectRefusal(refusal, 'address');
  expectRefusal(await nonce(429, '2'), 'address');
  await call('POST', `${url}/sessions`, 429, {
    headers: { 'x-forwarded-for': `${address}::1` },
    body: {},
  });
  await call('POST', `${url}/nonces`, 201, { headers: { 'x-forwarded-for': '203.0.113.77' } });
});

test('the packets of a socket count for its session; a refused request is answered with the error', async () => {
  const carol = await app.login('carol');
  const socket = await carol.connect({ baseUrl: url });
  const answers = await Promise.all(Array.from({ length: 12 }, () => socket.request('Counter.read')));
  const refused = answers.filter(({ success }) => !success);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0].data).toMatchObject({
    id: 'rate_limit_exceeded',
    code: 7,
    data: { retry_after_seconds: 1 },
  });
  await carol.call('GET', `${url}/conversations`, 429);
  expect(socket.closed).toBeUndefined();
  await socket.close();
});

test('a gateway with the factor 0 refuses nobody', async () => {
  const dave = await app.login('dave');
  const all = await Promise.all(Array.from({ length: 600 }, () => dave.call('GET', '/following', 200)));
  expect(all).toHaveLength(600);
});
