import { Agent, request } from 'undici';
import { makeKeyPair } from './archive.ts';
import { textPart, uuidOf, type TestApp } from './app.ts';
import { MEDIA_TYPE } from './http.ts';
import { insertIdentities } from './identities.ts';
import { createPace, type Pace, type Turn } from './pace.ts';
import { openSocket } from './socket.ts';
import { subscribe } from './webhooks.ts';

/** Endless requests of one application. */
export type Noise = {
  /** Numbers of accepted requests and of those refused with `rate_limit_exceeded`. */
  readonly taken: number;
  readonly refused: number;
  /** All other statuses, with their numbers. */
  readonly others: ReadonlyMap<number, number>;
  stop(): Promise<void>;
};

type World = { app: TestApp; postgresUrl: string };
type Count = (status: number) => void;
/** Runs until the signal aborts. Each request waits for its turn. */
type Work = (run: { count: Count; signal: AbortSignal; turn: Turn }) => Promise<void>;

const IN_FLIGHT = 50;
function namesOf(count: number, prefix: string) {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
}

/** Each of `IN_FLIGHT` clients sends one request after another. Counting continues from the last run. */
function flood(
  baseUrl: string,
  next: (n: number) => { method: string; path: string; token: string; body?: unknown },
): Work {
  let n = 0;
  return async ({ count, signal, turn }) => {
    const dispatcher = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
    const client = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          await turn(signal);
          const { method, path, token, body } = next(n++);
          const headers = { accept: MEDIA_TYPE, authorization: token, 'content-type': 'application/json' };
          const payload = body === undefined ? {} : { body: JSON.stringify(body) };
          const response = await request(baseUrl + path, {
            ...{ method: method as 'GET', headers, dispatcher, signal },
            ...payload,
          });
          await response.body.dump();
          count(response.statusCode);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, client));
    await dispatcher.destroy();
  };
}

function serverToken(app: TestApp) {
  return `Bearer ${app.accessToken}`;
}
function sessionToken({ token }: { token: string }) {
  return `Svc session-token="${token}"`;
}

/** A conversation with a history of `messages` messages of one kilobyte. */
async function history(app: TestApp, messages: number) {
  const user = await app.login('noisy');
  await app.login('other');
  const { body } = await user.call('POST', '/conversations', 201, { body: { participants: ['other'] } });
  const id = uuidOf(body.id);
  const text = { sender_id: user.id, parts: [textPart('x'.repeat(1024))] };
  for (let n = 0; n < messages; n++)
    await app.server('POST', `/conversations/${id}/messages`, 201, { body: text });
  return { user, id };
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

/** Replays in a loop: one socket reads the answers, another one reads nothing at all. */
async function replays({ app }: World): Promise<Work> {
  const { user } = await history(app, 300);
  const url = `${app.baseUrl.replace(/^http/, 'ws')}/websocket?session_token=${user.token}`;
  const ask = JSON.stringify({
    type: 'request',
    body: { method: 'Event.replay', request_id: 'r', data: { from_timestamp: new Date(0).toISOString() } },
  });
  return async ({ count, signal, turn }) => {
    const sockets = [openSocket(url), openSocket(url)];
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))));
    const [reader, deaf] = sockets;
    deaf?.pause();
    reader?.on('message', (data) => {
      const text = (data as Buffer).toString();
      if (!text.startsWith('{"type":"response"')) return;
      count(text.includes('"success":true') ? 200 : text.includes('rate_limit_exceeded') ? 429 : 500);
    });
    while (!signal.aborted) {
      for (const socket of sockets) {
        await turn(signal).catch(() => undefined);
        if (socket.readyState === socket.OPEN) socket.send(ask);
      }
      await nextTick();
    }
    for (const socket of sockets) socket.terminate();
  };
}

/** Adds and removes participants of a conversation of 250. */
async function patches({ app, postgresUrl }: World): Promise<Work> {
  const user = await app.login('noisy');
  const others = namesOf(249, 'participant');
  await insertIdentities(postgresUrl, app, others);
  const { body } = await user.call('POST', '/conversations', 201, { body: { participants: others } });
  const path = `/conversations/${uuidOf(body.id)}`;
  return flood(app.baseUrl, (n) => ({
    ...{ method: 'PATCH', path, token: sessionToken(user) },
    body: [
      {
        operation: n % 2 === 0 ? 'remove' : 'add',
        property: 'participants',
        value: `participant-${n % 249}`,
      },
    ],
  }));
}

async function lists({ app }: World): Promise<Work> {
  const { user, id } = await history(app, 100);
  const paths = [`/conversations/${id}/messages?page_size=100`, '/conversations', '/following'];
  return flood(app.baseUrl, (n) => ({ method: 'GET', path: paths[n % 3] ?? '', token: sessionToken(user) }));
}

async function announcements({ app, postgresUrl }: World): Promise<Work> {
  const recipients = namesOf(3_000, 'recipient');
  await insertIdentities(postgresUrl, app, recipients);
  const body = { recipients, sender_id: recipients[0], parts: [textPart('hear, hear')] };
  const token = serverToken(app);
  return flood(app.baseUrl, () => ({
    method: 'POST',
    path: `/apps/${app.appUuid}/announcements`,
    token,
    body,
  }));
}

async function exports({ app }: World): Promise<Work> {
  await history(app, 50);
  await app.server('PUT', '/export_security', 200, { body: { public_key: makeKeyPair().publicKey } });
  return flood(app.baseUrl, () => ({
    ...{ method: 'POST', path: `/apps/${app.appUuid}/exports`, token: serverToken(app), body: {} },
  }));
}

/** Messages whose webhook has a target that is gone. */
async function webhooks({ app }: World): Promise<Work> {
  const { user, id } = await history(app, 1);
  const { receiver } = await subscribe(app, ['Message.created']);
  await receiver.stop();
  const body = { parts: [textPart('to nobody')] };
  return flood(app.baseUrl, () => ({
    ...{ method: 'POST', path: `/conversations/${id}/messages`, token: sessionToken(user), body },
  }));
}

async function erasures({ app, postgresUrl }: World): Promise<Work> {
  const users = namesOf(5_000, 'erased');
  await insertIdentities(postgresUrl, app, users);
  return flood(app.baseUrl, (n) => ({
    ...{ method: 'DELETE', path: `/apps/${app.appUuid}/users/erased-${n % 5_000}`, token: serverToken(app) },
  }));
}

/** Every kind of noise, by name: prepares its records, and returns its work. */
export const noises = { replays, patches, lists, announcements, exports, webhooks, erasures };
export type NoiseName = keyof typeof noises;

/** Starts noise; without a pace the next request follows at once. */
export function startNoise(work: Work, pace?: Pace): Noise {
  const end = new AbortController();
  const counts = { taken: 0, refused: 0 };
  const others = new Map<number, number>();
  const count = (status: number): void => {
    if (status < 300) counts.taken += 1;
    else if (status === 429) counts.refused += 1;
    else others.set(status, (others.get(status) ?? 0) + 1);
  };
  const turn = pace ? createPace(pace) : () => Promise.resolve();
  const working = work({ count, signal: end.signal, turn });
  return {
    get taken() {
      return counts.taken;
    },
    get refused() {
      return counts.refused;
    },
    others,
    stop: async () => {
      end.abort();
      await working;
    },
  };
}
