import { randomUUID } from 'node:crypto';
import { expectProblem } from '@parley/domain/testing/problems';
import { until } from '@parley/testing';
import { pushRequested } from './support/events.ts';
import { startPushes, type Device, type Platform } from './support/platform.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

let platform: Platform;
let appId: string;
let browser: Device;

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  const { web, known } = platform;
  Object.assign(known, { devices: [], unwanted: new Set(), unread: 2, external: 5, isDown: false });
  web.received.length = 0;
  web.faults.length = 0;
  web.respond = (_push, response) => response.writeHead(201).end();
  appId = randomUUID();
  browser = await platform.subscribe(appId, 'bob');
});

/** Resolves when these figures of the application are recorded. */
async function untilCounted(expected: { pushDeliveries: number; failedPushAttempts: number }) {
  const sumOf = (name: keyof typeof expected): number =>
    platform.known.figures
      .filter((minute) => minute.appId === appId)
      .reduce((sum, { figures }) => sum + (figures?.[name] ?? 0), 0);
  const counted = () => ({
    pushDeliveries: sumOf('pushDeliveries'),
    failedPushAttempts: sumOf('failedPushAttempts'),
  });
  await until(
    () => {
      platform.clock.advance(SECOND_MS);
      return counted().pushDeliveries >= expected.pushDeliveries || undefined;
    },
    { withinMs: 10_000, what: 'the figures are recorded' },
  );
  expect(counted()).toEqual(expected);
}

test('a push reaches the browser encrypted, signed, and with the present badge', async () => {
  const event = pushRequested(appId, [browser], { data: { room: 7 } });
  const { messageId, conversationId } = event.body.value;
  await platform.publish(event);
  const [push] = await platform.web.wait(1);
  expect(push!.payload).toEqual({
    message_id: `svc:///messages/${messageId}`,
    conversation_id: `svc:///conversations/${conversationId}`,
    sender: { user_id: 'ada', display_name: 'Ada', avatar_url: 'https://chat.example/ada.png' },
    ...{ title: 'Ada', text: 'Hello', sound: 'ping.aiff', badge: 7, data: { room: 7 } },
  });
  expect(push!.claims.sub).toBe('mailto:operator@chat.example');
  expect(push!.headers).toMatchObject({ urgency: 'high', ttl: String(DAY_MS / SECOND_MS) });
  const [row] = await platform.settled(appId, 'DELIVERED');
  expect(row).toMatchObject({ attempts: 1, content: null });
  expect(platform.web.faults).toEqual([]);
});

test('the key of an application stays the same, is its own, and is not readable in the database', async () => {
  const ask = (app: string) => platform.pushes.getPushKey({ appId: app }).then(({ publicKey }) => publicKey);
  const [key, again, other] = await Promise.all([ask(appId), ask(appId), ask(randomUUID())]);
  expect(again).toBe(key);
  expect(other).not.toBe(key);
  const [row] = await platform.ctx.db.query<{ private_key: Buffer }>({
    text: 'select private_key from vapid_key where app_id = $1',
    values: [appId],
  });
  expect(row!.private_key.length).toBeGreaterThan(43);
  await expectProblem(platform.pushes.getPushKey({ appId: 'no uuid' }), 'not_found');
});

test('an event that comes twice is one push to each device, with the same identity when it is repeated', async () => {
  const second = await platform.subscribe(appId, 'bob');
  const event = { ...pushRequested(appId, [browser, second]), id: randomUUID() };
  let isFirst = true;
  platform.web.respond = (_push, response) => {
    response.writeHead(isFirst ? 503 : 201).end();
    isFirst = false;
  };
  await platform.publish(event, event);
  await platform.web.wait(2);
  await until(
    async () => {
      platform.clock.advance(SECOND_MS);
      return platform.web.received.length === 3 || undefined;
    },
    { withinMs: 10_000, what: 'the failed one is repeated' },
  );
  await platform.settled(appId, 'DELIVERED', 'DELIVERED');
  const { received } = platform.web;
  expect(new Set(received.map(({ headers }) => headers['topic'])).size).toBe(1);
  expect(new Set(received.map(({ endpoint }) => endpoint)).size).toBe(2);
  await untilCounted({ pushDeliveries: 2, failedPushAttempts: 1 });
});

test('what need not be shown any more is dropped before the attempt', async () => {
  const read = pushRequested(appId, [browser]);
  platform.known.unwanted.add(read.body.value.messageId);
  await platform.publish(read);
  await platform.settled(appId, 'DROPPED: read');
  expect(platform.web.received).toHaveLength(0);
});

test('a device that logged out meanwhile gets nothing, nor does another user on it', async () => {
  platform.known.devices = [{ ...browser, userId: 'cem' }];
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DROPPED: unregistered');
  expect(platform.web.received).toHaveLength(0);
});

test('a push waits while the services cannot be asked, and expires at its time', async () => {
  platform.known.isDown = true;
  const expiresAt = platform.clock.now() + 60 * SECOND_MS;
  await platform.publish(pushRequested(appId, [browser], { expiresAt }));
  await platform.settled(appId, 'PENDING');
  await platform.settledAsTimePasses(appId, 'DROPPED: expired');
  expect(platform.clock.now()).toBeGreaterThanOrEqual(expiresAt);
  platform.known.isDown = false;
  await platform.publish(pushRequested(appId, [browser], { expiresAt: platform.clock.now() - 1 }));
  await platform.publish(pushRequested(appId, [browser]));
  await platform.web.wait(1);
  await platform.settled(appId, 'DROPPED: expired', 'DELIVERED');
});

test.each([404, 410])('a device that answers %i is unregistered', async (status) => {
  platform.web.respond = (_push, response) => response.writeHead(status).end('gone');
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, `DEAD: ${status} gone`);
  expect(platform.known.devices).toEqual([]);
});

test('Retry-After is obeyed, and a push that fails until its end is a dead letter', async () => {
  platform.web.respond = (_push, response) =>
    response.writeHead(429, { 'retry-after': '600' }).end('slow down');
  const expiresAt = platform.clock.now() + 1_000 * SECOND_MS;
  await platform.publish(pushRequested(appId, [browser], { expiresAt }));
  const [row] = await platform.settled(appId, 'PENDING: 429 slow down');
  expect(row!.due_at - platform.clock.now()).toBe(600 * SECOND_MS);
  platform.clock.advance(601 * SECOND_MS);
  const [dead] = await platform.settled(appId, 'DEAD: 429 slow down');
  expect(dead).toMatchObject({ attempts: 2, content: null });
});

test.each([
  ['a redirect', 302, {}],
  ['a refusal', 400, { 'content-type': 'text/plain' }],
])('%s ends the delivery and is not followed', async (_name, status, headers) => {
  platform.web.respond = (_push, response) =>
    response.writeHead(status, { ...headers, location: platform.web.origin }).end();
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, `DEAD: ${status}`);
  expect(platform.web.received).toHaveLength(1);
});

test('an answer without end is read in part alone, and its connection ends', async () => {
  let isClosed = false;
  platform.web.respond = (_push, response) => {
    response.on('close', () => (isClosed = true));
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write).writeHead(500);
    write();
  };
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, `PENDING: 500 ${'x'.repeat(196)}`);
  await until(() => isClosed || undefined, { withinMs: 10_000, what: 'the connection ends' });
});

test('an address of no known push service, and one within the network, are never connected to', async () => {
  const addresses = ['https://internal.example/1', 'https://10.0.0.1/1', 'https://localhost.evil.example/1'];
  const devices = addresses.map((token) => ({ ...browser, token, deviceId: token }));
  platform.known.devices = devices;
  await platform.publish(pushRequested(appId, devices));
  const reason = 'DEAD: the address is not one of a known push service';
  await platform.settled(appId, reason, reason, reason);
});

test('keys that are none do not stop the service: the device is unregistered', async () => {
  const broken = { ...browser, details: { keys: { p256dh: 'AAAA', auth: 'AAAA' } } };
  platform.known.devices = [broken];
  await platform.publish(pushRequested(appId, [broken]));
  await platform.settled(appId, 'DEAD: the keys of the subscription are not valid');
  expect(platform.known.devices).toEqual([]);
});

test('a subscription with the key of another application is refused by the push service', async () => {
  const other = await platform.subscribe(randomUUID(), 'bob');
  await platform.publish(pushRequested(appId, [other]));
  await platform.settled(appId, 'DEAD: 403 Error: another application subscribed');
});

test('a long text is cut between characters, and the payload fits', async () => {
  await platform.publish(
    pushRequested(appId, [browser], { notification: { title: '😀'.repeat(2_048), text: '👩‍👩‍👧‍👦'.repeat(500) } }),
  );
  const [push] = await platform.web.wait(1);
  const { text, title } = push!.payload as { text: string; title: string };
  expect(text.isWellFormed() && title.isWellFormed()).toBe(true);
  expect(text).toMatch(/^(👩‍👩‍👧‍👦)+…$/u);
  expect(Buffer.byteLength(JSON.stringify(push!.payload))).toBeLessThanOrEqual(3_993);
  expect(Buffer.byteLength(JSON.stringify(push!.payload))).toBeGreaterThan(3_900);
});

test('a push service that does not answer delays no other application', async () => {
  const dead = randomUUID();
  const devices = await Promise.all(Array.from({ length: 30 }, () => platform.subscribe(dead, 'bob')));
  const held: (() => void)[] = [];
  platform.web.respond = ({ endpoint }, response) => {
    const answer = (): unknown => response.writeHead(201).end();
    if (endpoint === browser.token) answer();
    else held.push(answer);
  };
  await platform.publish(pushRequested(dead, devices));
  await until(() => held.length > 0 || undefined, { withinMs: 10_000, what: 'the first requests hang' });
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DELIVERED');
  platform.web.respond = (_push, response) => response.writeHead(201).end();
  for (const answer of held) answer();
  await platform.settled(dead, ...devices.map(() => 'DELIVERED'));
});

test('an erased user’s deliveries are deleted, and waiting ones with the user’s words', async () => {
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DELIVERED');
  platform.known.isDown = true;
  const cem = await platform.subscribe(appId, 'cem');
  await platform.publish(
    pushRequested(appId, [cem]),
    pushRequested(appId, [cem], { sender: { userId: 'eve' } }),
  );
  await platform.settled(appId, 'DELIVERED', 'PENDING', 'PENDING');
  const erase = (userId: string) => ({ appId, body: { case: 'userErased' as const, value: { userId } } });
  await platform.publish(erase('ada'), erase('bob'));
  const rows = await platform.settled(appId, 'PENDING');
  expect(rows.map(({ user_id }) => user_id)).toEqual(['cem']);
});

test('settled deliveries are kept for three days', async () => {
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DELIVERED');
  platform.clock.advance(3 * DAY_MS - SECOND_MS);
  await platform.settled(appId, 'DELIVERED');
  const count = { text: 'select from delivery where app_id = $1', values: [appId] };
  const isEmpty = async () => {
    platform.clock.advance(600 * SECOND_MS);
    return (await platform.ctx.db.execute(count)) === 0 || undefined;
  };
  await until(isEmpty, { withinMs: 15_000, what: 'they are deleted' });
});
