import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call, MEDIA_TYPE } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
let eve: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, eve] = await Promise.all([app.login('ada'), app.login('eve')]);
});

type Operation = { method: string; path: string; isServers: boolean };
type Missing = { operation: string; url: string; body: Json };

const WEBHOOKS_TYPE = 'application/vnd.svc.webhooks+json; version=3.0';

/** Bodies with which a request reaches the look-up of what its path names. */
const BODIES: [path: RegExp, body: unknown][] = [
  [/\/conversations\/{conversation_id}$/, [{ operation: 'set', property: 'metadata.a', value: 'b' }]],
  [/\/scheduled_messages$/, {}],
  [/\/messages$/, { sender_id: 'ada', parts: [textPart('x')] }],
  [/\/parts$/, [textPart('x')]],
  [/\/parts\/{part_id}$/, textPart('x')],
  [/\/receipts$/, { type: 'read' }],
  [/\/identity$/, { display_name: 'X' }],
  [/\/following(\/users)?$/, ['ada']],
  [/\/blocks$/, [{ operation: 'add', property: 'blocks', value: 'ada' }]],
  [/\/users\/{user_id}$/, [{ operation: 'set', property: 'suspended', value: true }]],
  [/\/badge$/, { external_unread_count: 1 }],
  [/\/deliveries\/replay$/, { from: '2026-11-22T00:00:00Z' }],
];

/** Paths that name objects, with their methods; below `/apps/{app_uuid}` for servers. */
const CLIENT_PATHS: Record<string, string> = {
  '/sessions/{token}': 'DELETE',
  '/conversations/{conversation_id}': 'GET PATCH DELETE',
  '/conversations/{conversation_id}/mark_all_read': 'POST',
  '/conversations/{conversation_id}/mark_all_delivered': 'POST',
  '/conversations/{conversation_id}/messages': 'GET POST',
  '/conversations/{conversation_id}/messages/{message_id}/parts': 'GET POST PUT',
  '/conversations/{conversation_id}/messages/{message_id}/parts/{part_id}': 'GET PUT DELETE',
  '/messages/{message_id}': 'GET DELETE',
  '/messages/{message_id}/parts': 'GET POST PUT',
  '/messages/{message_id}/parts/{part_id}': 'GET PUT DELETE',
  '/messages/{message_id}/receipts': 'POST',
  '/content/{content_id}': 'GET',
  '/identities/{user_id}': 'GET',
  '/following/users/{user_id}': 'GET PUT DELETE',
  '/blocks/{user_id}': 'PUT DELETE',
  '/announcements/{announcement_id}': 'GET DELETE',
  '/announcements/{announcement_id}/receipts': 'POST',
  '/push_tokens/{device_id}': 'DELETE',
};
const SERVER_PATHS: Record<string, string> = {
  '/users/{user_id}': 'GET PATCH DELETE',
  '/users/{user_id}/badge': 'GET PUT',
  '/users/{user_id}/sessions': 'DELETE',
  '/users/{user_id}/identity': 'GET PUT PATCH DELETE',
  '/users/{user_id}/identities': 'GET',
  '/users/{user_id}/following': 'GET POST',
  '/users/{user_id}/following/{user_id}': 'GET PUT DELETE',
  '/users/{user_id}/blocks': 'GET PATCH',
  '/webhooks/{webhook_id}': 'GET PATCH DELETE',
  '/webhooks/{webhook_id}/activate': 'POST',
  '/webhooks/{webhook_id}/deactivate': 'POST',
  '/webhooks/{webhook_id}/rotate_secret': 'POST',
  '/webhooks/{webhook_id}/test': 'POST',
  '/webhooks/{webhook_id}/deliveries': 'GET',
  '/webhooks/{webhook_id}/deliveries/replay': 'POST',
  '/webhooks/{webhook_id}/deliveries/{delivery_id}': 'GET',
  '/webhooks/{webhook_id}/deliveries/{delivery_id}/replay': 'POST',
  '/exports/{export_id}': 'DELETE',
  '/exports/{export_id}/status': 'GET',
  '/conversations/{conversation_id}': 'GET PATCH DELETE',
  '/conversations/{conversation_id}/messages': 'GET POST',
  '/conversations/{conversation_id}/messages/{message_id}': 'GET DELETE',
  '/conversations/{conversation_id}/messages/{message_id}/parts': 'GET POST PUT',
  '/conversations/{conversation_id}/messages/{message_id}/parts/{part_id}': 'GET PUT DELETE',
  '/conversations/{conversation_id}/scheduled_messages': 'GET',
  '/conversations/{conversation_id}/scheduled_messages/{message_id}': 'GET DELETE',
  '/conversations/{conversation_id}/content': 'POST',
  '/conversations/{conversation_id}/content/{content_id}': 'GET',
};

/** Lists those paths, also as a server that acts for a user, and all paths that the gateway describes, which may be more. */
async function operations(): Promise<Operation[]> {
  const { body } = await call('GET', `${app.baseUrl}/openapi.json`, 200);
  // Uploads and downloads have servers of their own.
  const ofGateway = Object.entries(body.paths as Record<string, object>).filter(
    ([, item]) => !('servers' in item),
  );
  const described = ofGateway.map(
    ([path, methods]) => [path, Object.keys(methods).join(' ').toUpperCase()] as const,
  );
  const listed = [
    ...Object.entries(CLIENT_PATHS),
    ...below('/apps/{app_uuid}', SERVER_PATHS),
    ...below('/apps/{app_uuid}/users/{as_user_id}', CLIENT_PATHS),
  ];
  const keys = [...listed, ...described].flatMap(([path, methods]) =>
    methods.split(' ').map((method) => `${method} ${path}`),
  );
  return [...new Set(keys)].map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, path, isServers: path.startsWith('/apps/') };
  });
}

function below(prefix: string, paths: Record<string, string>): [string, string][] {
  return Object.entries(paths).map(([path, methods]) => [prefix + path, methods]);
}

/** A path whose parameters name nothing, but the app and the user `as`. */
function fill(path: string, as: string): string {
  return path.replace(/{(\w+)}/g, (_, name: string) => {
    if (name === 'app_uuid') return app.appUuid;
    if (name === 'as_user_id') return as;
    return name.endsWith('user_id') ? `nobody ${randomUUID()}`.replace(' ', '%20') : randomUUID();
  });
}

async function send({ method, path, isServers }: Operation, as: string) {
  const target = fill(path, as);
  const body = method === 'GET' || method === 'DELETE' ? undefined : bodyOf(path);
  const response = await request(`${app.baseUrl}${target}`, {
    method: method as 'GET',
    headers: {
      accept: path.includes('/webhooks') ? WEBHOOKS_TYPE : MEDIA_TYPE,
      authorization: isServers ? `Bearer ${app.accessToken}` : `Svc session-token="${eve.token}"`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { target, status: response.statusCode, text: await response.body.text() };
}

function bodyOf(path: string): unknown {
  return BODIES.find(([fits]) => fits.test(path))?.[1] ?? {};
}

/** The answers with 404 to requests of all operations whose paths name something, in which nothing exists. */
async function findMissing(as: string): Promise<{ empty: string[]; missing: Missing[] }> {
  const found = { empty: [] as string[], missing: [] as Missing[] };
  for (const operation of await operations()) {
    if (!/{(?!app_uuid)\w+}/.test(operation.path)) continue;
    const { target, status, text } = await send(operation, as);
    if (status !== 404) continue;
    const name = `${operation.method} ${operation.path}`;
    if (text === '') found.empty.push(name);
    else found.missing.push({ operation: name, url: target, body: JSON.parse(text) as Json });
  }
  return found;
}

test('each 404 names what is missing, and nothing that the caller did not send; messages and parts have none', async () => {
  const { empty, missing } = await findMissing('ada');
  expect(empty.filter((name) => !/\/messages\/{message_id}/.test(name))).toEqual([]);
  expect(missing.filter(({ operation }) => /\/messages\/{message_id}/.test(operation))).toEqual([]);
  for (const { operation, url, body } of missing) {
    expect({ operation, body }).toMatchObject({
      body: { id: 'not_found', data: { kind: expect.any(String) } },
    });
    const { id } = body.data as { id: string | null };
    if (id !== null) expect(decodeURIComponent(url)).toContain(decodeURIComponent(uuidOf(id)));
    expect(Object.keys(body.data as object).sort()).toEqual(['id', 'kind']);
  }
  const kinds = new Set(missing.map(({ body }) => body.data.kind as string));
  expect([...kinds].sort()).toEqual([
    'announcement',
    'content',
    'conversation',
    'export',
    'follow',
    'identity',
    'scheduled_message',
    'session',
    'webhook',
  ]);
  expect(missing.length).toBeGreaterThan(60);
});

test('a server that acts for an unknown user learns which user that is', async () => {
  const { empty, missing } = await findMissing('no%20one');
  const acting = missing.filter(({ url }) => url.includes('/users/no%20one'));
  expect(empty.filter((name) => name.includes('{as_user_id}'))).toEqual([]);
  expect(acting.length).toBeGreaterThan(30);
  for (const { body } of acting) {
    expect(body.data).toEqual({ kind: 'identity', id: 'svc:///identities/no%20one' });
  }
});

test('what exists and may not be seen is answered like what does not exist', async () => {
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['ada'] } });
  const absent = randomUUID();
  const answers = await Promise.all(
    [uuidOf(body.id), absent].map((id) => eve.call('GET', `/conversations/${id}`, 404)),
  );
  const [hidden, unknown] = answers.map((answer) => answer.text);
  expect(hidden).toBe(unknown?.replace(absent, uuidOf(body.id)));
});

test('an unknown sender does not look like a missing conversation', async () => {
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['ada'] } });
  const draft = { sender_id: 'who', parts: [textPart('x')] };
  const sent = (id: string, more: object = {}) =>
    app.server('POST', `/conversations/${id}/messages`, 404, { body: { ...draft, ...more } });
  const unknownSender = { kind: 'identity', id: 'svc:///identities/who', property: 'sender_id' };
  expect((await sent(uuidOf(body.id))).body).toMatchObject({
    message: 'There is no such user.',
    data: unknownSender,
  });
  expect((await sent(uuidOf(body.id), { schedule: { delay_in_seconds: 60 } })).body.data).toEqual(
    unknownSender,
  );
  const id = randomUUID();
  const missing = { kind: 'conversation', id: `svc:///conversations/${id}` };
  expect((await sent(id)).body.data).toEqual(missing);
  const batch = await app.server('POST', `/conversations/${id}/messages`, 404, { body: [draft] });
  expect(batch.body.data).toEqual(missing);
  const announced = { ...draft, recipients: ['ada'] };
  expect((await app.server('POST', '/announcements', 404, { body: announced })).body.data).toEqual(
    unknownSender,
  );
});

test('a response of a socket names what is missing, messages too', async () => {
  const socket = await eve.connect();
  const id = randomUUID();
  const parts = { parts: [textPart('x')] };
  const refusals = [
    ['Message.create', 'conversations', parts, 'conversation'],
    ['Message.delete', 'messages', {}, 'message'],
    ['Receipt.create', 'messages', { type: 'read' }, 'message'],
    ['Conversation.delete', 'conversations', {}, 'conversation'],
    ['Conversation.mark_all_read', 'conversations', {}, 'conversation'],
    ['Conversation.mark_all_delivered', 'conversations', {}, 'conversation'],
  ] as const;
  for (const [method, path, data, kind] of refusals) {
    const uri = `svc:///${path}/${id}`;
    expect(await socket.request(method, { object_id: uri, data })).toMatchObject({
      success: false,
      data: { id: 'not_found', data: { kind, id: uri } },
    });
  }
  const nonsense = 'x'.repeat(100_000);
  expect(await socket.request('Message.delete', { object_id: nonsense, data: {} })).toMatchObject({
    data: { data: { kind: 'message', id: 'x'.repeat(512) } },
  });
  await socket.close();
});
