import { randomBytes, randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import pg from 'pg';
import { request } from 'undici';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from './app.ts';
import { call, UnexpectedStatus, type Answer } from './http.ts';
import type { Json } from './json.ts';
import type { OwnPlatform } from './own-platform.ts';
import { WEBHOOKS_TYPE } from './webhooks.ts';

/** A request that clients make, which fails unless it is answered with the given status. */
export type Operation = {
  /** Status when every process runs. */
  status: number;
  send(expected: number): Promise<Answer | void>;
};

export type Scene = {
  app: TestApp;
  ada: TestUser;
  bob: TestUser;
  conversation: Json;
  /** Ids of the messages that were acknowledged. */
  acknowledged: string[];
  /** Operations by name. */
  operations: Record<string, Operation>;
};

const BYTES = 5_000;
const NONCES = 40;
const LATEST_ANSWER_MS = 25_000;

/** Two users with a conversation, and one operation of each kind. */
export async function createScene(own: OwnPlatform): Promise<Scene> {
  const app = await createApp(own);
  const [ada, bob] = await Promise.all([app.login('ada'), app.login('bob'), app.login('eve')]);
  const body = { participants: ['bob'] };
  const { body: conversation } = await ada.call('POST', '/conversations', 201, { body });
  const scene: Scene = { app, ada, bob, conversation, acknowledged: [], operations: {} };
  await say(scene, 201);
  const download = await contentOf(ada);
  const nonces = await Promise.all(
    Array.from(
      { length: NONCES },
      async () => (await call('POST', `${own.baseUrl}/nonces`, 201)).body.nonce as string,
    ),
  );
  Object.assign(scene.operations, readsOf(scene), writesOf(scene), {
    'asks for a nonce': { status: 201, send: (status) => call('POST', `${own.baseUrl}/nonces`, status) },
    'logs in': { status: 201, send: (status) => logIn(app, nonces, status) },
    'downloads content': { status: 200, send: (status) => transfer('GET', download, status) },
    'uploads content': {
      status: 200,
      send: async (status) => {
        const { upload_url: address } = await begin(ada);
        await transfer('PUT', address, status);
      },
    },
  } satisfies Scene['operations']);
  return scene;
}

/** Sends a message, and notes its id when it is acknowledged. */
export async function say(scene: Scene, expected: number, id: string = randomUUID()): Promise<Answer> {
  const body = { id, parts: [textPart('hello')] };
  const answer = await scene.ada.call('POST', scene.conversation.messages_url, expected, { body });
  if (expected === 201) scene.acknowledged.push(id);
  return answer;
}

function readsOf({ ada, app, conversation, acknowledged: [message] }: Scene): Scene['operations'] {
  const reads = {
    'lists conversations': '/conversations',
    'reads a conversation': `/conversations/${uuidOf(conversation.id)}`,
    'lists messages': conversation.messages_url as string,
    'reads a message': `/messages/${message}`,
    'reads an identity': '/identities/bob',
    'lists followed users': '/identities',
    'lists blocks': '/blocks',
    'lists announcements': '/announcements',
  };
  const headers = { accept: WEBHOOKS_TYPE };
  return {
    ...Object.fromEntries(
      Object.entries(reads).map(([name, path]): [string, Operation] => [
        name,
        { status: 200, send: (status) => ada.call('GET', path, status) },
      ]),
    ),
    'lists webhooks': { status: 200, send: (status) => app.server('GET', '/webhooks', status, { headers }) },
  };
}

function writesOf(scene: Scene): Scene['operations'] {
  const { ada, bob, app, conversation, acknowledged } = scene;
  const [message] = acknowledged;
  const path = `/conversations/${uuidOf(conversation.id)}`;
  const writes: Record<string, [number, TestUser, string, string, object?]> = {
    'creates a conversation': [201, ada, 'POST', '/conversations', { participants: ['bob'] }],
    'changes a conversation': [204, ada, 'PATCH', path, [setMetadata()]],
    'marks a message as read': [204, bob, 'POST', `/messages/${message}/receipts`, { type: 'read' }],
    'blocks a user': [204, ada, 'PUT', '/blocks/eve'],
    'follows a user': [204, ada, 'PUT', '/following/users/bob'],
  };
  const parts = [textPart('by the server')];
  const schedule = { delay_in_seconds: 300 };
  return {
    ...Object.fromEntries(
      Object.entries(writes).map(([name, [status, user, method, where, body]]): [string, Operation] => [
        name,
        { status, send: (expected) => user.call(method, where, expected, { body }) },
      ]),
    ),
    'sends a message': { status: 201, send: (status) => say(scene, status) },
    'schedules a message': {
      status: 202,
      send: (status) =>
        app.server('POST', `${path}/messages`, status, { body: { sender_id: 'ada', parts, schedule } }),
    },
    announces: {
      status: 202,
      send: (status) =>
        app.server('POST', '/announcements', status, {
          body: { recipients: ['bob'], sender_id: 'ada', parts },
        }),
    },
    'asks for an upload': { status: 201, send: (status) => askForUpload(ada, status) },
  };
}

function setMetadata(): object {
  return { operation: 'set', property: 'metadata.topic', value: 'degradation' };
}

function askForUpload(user: TestUser, expected: number): Promise<Answer> {
  const headers = { 'upload-content-type': 'image/png', 'upload-content-length': String(BYTES) };
  return user.call('POST', '/content', expected, { headers });
}

async function begin(user: TestUser): Promise<Json> {
  return (await askForUpload(user, 201)).body;
}

/** The address of uploaded content. */
async function contentOf(user: TestUser): Promise<string> {
  const { upload_url: to, refresh_url: at } = await begin(user);
  await transfer('PUT', to, 200);
  return (await user.call('GET', new URL(at).pathname, 200)).body.download_url;
}

async function transfer(method: 'GET' | 'PUT', url: string, expected: number): Promise<Answer> {
  const { statusCode, headers, body } = await request(url, {
    method,
    ...(method === 'PUT' && { body: randomBytes(BYTES) }),
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode !== expected)
    throw new UnexpectedStatus(statusCode, `${method} ${url}: ${statusCode}: ${bytes.toString()}`);
  const text = bytes.toString();
  const isJson = String(headers['content-type']).includes('json');
  return {
    ...{ status: statusCode, text, body: isJson ? JSON.parse(text) : undefined },
    headers: { 'retry-after': headers['retry-after'] as string | undefined },
  };
}

async function logIn(app: TestApp, nonces: string[], expected: number): Promise<Answer> {
  const nonce = nonces.pop() ?? '';
  const identity_token = await app.identityToken('eve', { nonce, claims: { display_name: 'Eve' } });
  const body = { identity_token, app_id: app.appId };
  return call('POST', `${app.baseUrl}/sessions`, expected, { body });
}

/**
 * Sends the named operations at the same time; those of `refused` have to be answered with 503 as the protocol says, all others as when
 * everything is there. Resolves with what was otherwise.
 */
export async function differences({ operations }: Scene, refused: readonly string[] = []): Promise<string[]> {
  const unknown = refused.filter((name) => !operations[name]);
  const sent = Object.entries(operations).map(async ([name, { status, send }]) => {
    const isRefused = refused.includes(name);
    const failure = await within(send(isRefused ? 503 : status)).then(
      (answer) => (isRefused && answer ? refusalProblem(answer) : undefined),
      (error: unknown) => String(error),
    );
    return failure === undefined ? [] : [`${name}: ${failure}`];
  });
  return [...unknown.map((name) => `no operation ${name}`), ...(await Promise.all(sent)).flat()];
}

/** A request has five seconds; a busy machine needs some more. */
async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${LATEST_ANSWER_MS} ms`)), LATEST_ANSWER_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Says how a refusal differs from the protocol. */
function refusalProblem({ body, headers, text }: Answer): string | undefined {
  const isRight = body?.id === 'service_unavailable' && body.code === 1 && Number(headers['retry-after']) > 0;
  return isRight ? undefined : `${text}, Retry-After: ${headers['retry-after']}`;
}

/** Makes the database server of the platform refuse to write, as a managed server does whose disk is full, or take writes again. */
export async function setReadOnly({ running }: OwnPlatform, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: running.state.postgres_url });
  await client.connect();
  try {
    const change = isReadOnly
      ? 'set default_transaction_read_only = on'
      : 'reset default_transaction_read_only';
    await client.query(`alter system ${change}`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}

/** Takes the blobs of the platform away, or brings them back. */
export async function setBlobs(dataDir: string, areThere: boolean): Promise<void> {
  const [there, away] = [`${dataDir}/blobs`, `${dataDir}/blobs-away`];
  await (areThere ? rename(away, there) : rename(there, away));
}
