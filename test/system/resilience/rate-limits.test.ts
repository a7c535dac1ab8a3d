import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../support/app.ts';
import { call, type Answer } from '../../support/http.ts';
import { limitedUrl, platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

// The gateway of these tests grants half of what is configured: bursts of 5, 10 and 6, and 1 a second.

let app: TestApp;
let url: string;

beforeAll(async () => {
  app = await createApp(await platform());
  url = await limitedUrl();
});

type Send = (expected: number) => Promise<Answer>;

type Exhausted = { granted: number; refusal: Answer; startedAt: number; refusedAt: number };

/** The number of requests granted before the first refusal, and the refusal. */
async function exhaust(send: Send, expected: number): Promise<Exhausted> {
  const startedAt = Date.now();
  for (let granted = 0; granted < 100; granted++) {
    const refusal = await send(429).catch((error: Error) => {
      if (!error.message.includes(`got ${expected}`)) throw error;
    });
    if (refusal) return { granted, refusal, startedAt, refusedAt: Date.now() };
  }
  throw new Error('never refused');
}

/** Tokens that a bucket has gained since then, at one a second. */
function refilledSince(at: number): number {
  return Math.floor((Date.now() - at) / 1000);
}

function expectRefusal({ headers, body }: Answer, policy: string): void {
  expect(body).toMatchObject({ id: 'rate_limit_exceeded', code: 7 });
  expect(headers['retry-after']).toBe('1');
  expect(headers['ratelimit']).toBe(`"${policy}";r=0;t=1`);
}

test('a session gets a burst, then 429 with when to come back, and is let in by then', async () => {
  const [ada, bob] = [await app.login('ada'), await app.login('bob')];
  const list = (user: typeof ada) => (status: number) => user.call('GET', `${url}/conversations`, status);
  const { granted, refusal, startedAt, refusedAt } = await exhaust(list(ada), 200);
  expect(granted).toBeGreaterThanOrEqual(5);
  expect(granted).toBeLessThanOrEqual(5 + refilledSince(startedAt));
  expectRefusal(refusal, 'session');
  await list(bob)(200);
  let lastRefusedAt = 0;
  await until('the session is let in again', async () => {
    const sentAt = Date.now();
    return list(ada)(200).catch(() => void (lastRefusedAt = sentAt));
  });
  expect(granted + 1).toBeLessThanOrEqual(5 + refilledSince(startedAt));
  expect(lastRefusedAt - refusedAt).toBeLessThan(1000 * Number(refusal.headers['retry-after']));
});

test('an access token has a bucket of its own', async () => {
  const headers = { authorization: `Bearer ${app.accessToken}` };
  const list = (status: number) =>
    call('GET', `${url}/apps/${app.appUuid}/conversations`, status, { headers });
  const { granted, refusal } = await exhaust(list, 200);
  expect(granted).toBeGreaterThanOrEqual(10);
  expectRefusal(refusal, 'access_token');
});

test('nonces and sessions count for the address that the proxy saw, regardless of the client’s headers', async () => {
  const address = `2001:db8:${randomUUID().slice(0, 4)}:1`;
  let spoofed = 0;
  const nonce = (status: number, host = '1') => {
    const forwarded = `10.9.8.${++spoofed}, ${address}::${host}`;
    return call('POST', `${url}/nonces`, status, { headers: { 'x-forwarded-for': forwarded } });
  };
  const login = (status: number) =>
    call('POST', `${url}/sessions`, status, { headers: { 'x-forwarded-for': `${address}::1` }, body: {} });
  const { granted, refusal, startedAt } = await exhaust((status) => nonce(status), 201);
  expect(granted).toBeGreaterThanOrEqual(6);
  expectRefusal(refusal, 'address');
  const neighbour = await exhaust((status) => nonce(status, '2'), 201);
  expectRefusal(neighbour.refusal, 'address');
  const logins = await exhaust(login, 422);
  expect(granted + neighbour.granted + logins.granted).toBeLessThanOrEqual(6 + refilledSince(startedAt));
  await call('POST', `${url}/nonces`, 201, { headers: { 'x-forwarded-for': '203.0.113.77' } });
});

test('the packets of a socket count for its session; a refused request is answered with the error', async () => {
  const carol = await app.login('carol');
  const socket = await carol.connect({ baseUrl: url });
  const startedAt = Date.now();
  const answers = await Promise.all(Array.from({ length: 12 }, () => socket.request('Counter.read')));
  const refused = answers.filter(({ success }) => !success);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0].data).toMatchObject({
    id: 'rate_limit_exceeded',
    code: 7,
    data: { retry_after_seconds: 1 },
  });
  const list = (status: number) => carol.call('GET', `${url}/conversations`, status);
  const { granted } = await exhaust(list, 200);
  expect(answers.length - refused.length + granted).toBeLessThanOrEqual(5 + refilledSince(startedAt));
  expect(socket.closed).toBeUndefined();
  await socket.close();
});

test('a gateway with the factor 0 refuses no request', async () => {
  const dave = await app.login('dave');
  // In waves, since those of one user that run at once are limited nevertheless.
  for (let wave = 0; wave < 10; wave++) {
    const answers = Array.from({ length: 80 }, () => dave.call('GET', '/following', 200));
    expect(await Promise.all(answers)).toHaveLength(80);
  }
});
