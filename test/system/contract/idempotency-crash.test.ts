import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { adminCall, createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call, UnexpectedStatus } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

/** A POST that is repeated with its key until it is answered. */
type Post = {
  server: TestApp['server'];
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  expected: number;
};
type Answered = Post & { key: string; text: string };

const RETRY_MS = 10;
const CONCURRENCY = 4;
const { publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let messages: string;
let isOver = false;

beforeAll(async () => {
  // Every webhook that is registered here stays.
  own = await ownPlatform({
    durable: true,
    env: { webhook: { PARLEY_MAX_WEBHOOKS_PER_APP: '100000' } },
  });
  app = await createApp(own);
  ada = await app.login('ada');
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['ada'] } });
  messages = `/conversations/${uuidOf(body.id)}/messages`;
});

afterAll(async () => {
  isOver = true;
  await own?.stop();
});

function give({ server, path, expected, body, headers }: Post, key: string) {
  return server('POST', path, expected, { body, headers: { 'idempotency-key': key, ...headers } });
}

/** Repeats a request after a lost connection or a 5xx, whose outcome is unknown; any other answer must be the expected one. */
async function untilAnswered(post: Post): Promise<Answered> {
  const key = randomUUID();
  for (;;) {
    try {
      return { ...post, key, text: (await give(post, key)).text };
    } catch (error) {
      if (isOver || (error instanceof UnexpectedStatus && error.status < 500)) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Several loops of requests at the same time, until they are stopped; they pause after the answers that are under way. */
function repeat(makePost: () => Post | Promise<Post>) {
  const answered: Answered[] = [];
  let stopped = false;
  let pause: PromiseWithResolvers<void> | undefined;
  const giveOn = async (): Promise<void> => {
    for (; !stopped; await pause?.promise) answered.push(await untilAnswered(await makePost()));
  };
  const resume = (): void => {
    pause?.resolve();
    pause = undefined;
  };
  const running = Promise.all(Array.from({ length: CONCURRENCY }, giveOn));
  let fault: unknown;
  running.catch((error: unknown) => void (fault = error));
  return {
    /** The answers so far. Fails after an unexpected answer. */
    get answered() {
      if (fault !== undefined) throw fault as Error;
      return answered;
    },
    pause: () => void (pause ??= Promise.withResolvers()),
    resume,
    stop: async () => {
      stopped = true;
      resume();
      await running;
      return answered;
    },
  };
}

function webhook(): Post {
  return {
    ...{ server: app.server, path: '/webhooks', expected: 201 },
    headers: { accept: 'application/vnd.svc.webhooks+json; version=3.0' },
    body: {
      version: '3.0',
      target_url: 'https://nowhere.invalid/hook',
      events: ['Message.created'],
      secret: 'not to be guessed',
    },
  };
}
function message(): Post {
  return {
    ...{ server: app.server, path: messages, expected: 201 },
    body: { sender_id: 'ada', parts: [textPart('once')] },
  };
}
function announcement(): Post {
  return {
    ...{ server: app.server, path: '/announcements', expected: 202 },
    body: { recipients: ['ada'], sender_id: 'ada', parts: [textPart('once')] },
  };
}
function upload(): Post {
  return {
    ...{ server: app.server, path: `${messages.replace('/messages', '')}/content`, expected: 201 },
    headers: { 'upload-content-type': 'text/plain', 'upload-content-length': '5' },
  };
}
/** An app may request one a day, so each request has an app of its own. */
async function historicalExport(): Promise<Post> {
  const eventually = <T>(what: string, attempt: () => Promise<T>): Promise<T> =>
    until(what, () => attempt().catch(() => undefined), 90_000);
  const { app: other } = await eventually('another app', () =>
    adminCall(own, 'CreateApp', { name: 'other', environment: 'staging' }),
  );
  const appUuid: string = other.app_uuid ?? other.appUuid;
  const { token } = await eventually('its token', () =>
    adminCall(own, 'CreateAccessToken', { app_uuid: appUuid, name: 'server' }),
  );
  const server: TestApp['server'] = (method, path, expected, { headers, ...given } = {}) =>
    call(method, `${own.baseUrl}/apps/${appUuid}${path}`, expected, {
      ...given,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const body = { public_key: publicKey };
  await eventually('its key', () => server('PUT', '/export_security', 200, { body }));
  return { server, path: '/exports', expected: 202 };
}

async function list(server: TestApp['server'], path: string, headers = {}): Promise<Json[]> {
  return (await server('GET', path, 200, { headers })).body;
}
async function count(path: string): Promise<number> {
  return Number((await app.server('GET', path, 200)).headers['svc-count']);
}

test('when any process is killed between an effect and its answer, each key has one effect and one answer', async () => {
  const runs = {
    webhooks: repeat(webhook),
    messages: repeat(message),
    announcements: repeat(announcement),
    uploads: repeat(upload),
    exports: repeat(historicalExport),
  };
  const all = Object.values(runs);
  for (const name of ['gateway', 'webhook', 'export', 'gateway']) {
    const sent = runs.messages.answered.length;
    for (const run of all) run.resume();
    await until('requests are under way', () => runs.messages.answered.length > sent || undefined, 30_000);
    const before = all.map(({ answered }) => answered.length);
    await own.killAndAwait(name);
    // Other requests pause once some have succeeded: exports get only the processor time that others leave.
    for (const [index, [kind, run]] of Object.entries(runs).entries()) {
      const hasGotOn = () => run.answered.length > before[index]! || undefined;
      await until(`${kind} get on after ${name} was killed`, hasGotOn, 120_000);
      if (run !== runs.exports) run.pause();
    }
  }
  for (const run of all) await run.stop();
  for (const { key, text, ...post } of all.flatMap(({ answered }) => answered)) {
    expect((await give(post, key)).text).toBe(text);
  }
  const registered = await list(app.server, '/webhooks', webhook().headers);
  expect(registered.map(({ id }) => id).sort()).toEqual(idsOf(runs.webhooks.answered));
  expect(await count(messages)).toBe(runs.messages.answered.length);
  const told = runs.announcements.answered.length;
  const arrived = async () => (await count('/users/ada/announcements')) >= told || undefined;
  await until('all announcements arrive', arrived, 20_000);
  expect(await count('/users/ada/announcements')).toBe(told);
  expect(new Set(idsOf(runs.uploads.answered)).size).toBe(runs.uploads.answered.length);
  for (const { server, text } of runs.exports.answered) {
    const made = await list(server, '/exports');
    expect(made.map(({ id }) => uuidOf(id))).toEqual([uuidOf((JSON.parse(text) as Json).id)]);
  }
}, 400_000);

function idsOf(answered: readonly Answered[]): string[] {
  return answered.map(({ text }) => (JSON.parse(text) as Json).id as string).sort();
}
