import { isDeepStrictEqual } from 'node:util';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { request } from 'undici';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { MEDIA_TYPE } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let bob: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  bob = await app.login('bob');
  for (const userId of ['dan', 'eve', 'fay']) await app.login(userId);
}, 60_000);

const openApi = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as { paths: Record<string, { get?: { security?: Record<string, unknown>[] } }> };

/** Parameters that name the user whose view it is; elsewhere `user_id` is another user. */
const SUBJECTS = ['as_user_id', 'owner_user_id'];

/** Every GET of a user's session, and of a server that asks about one user: its path, and whose token it takes. */
const reads = Object.entries(openApi.paths).flatMap(([template, { get }]) => {
  if (!get) return [];
  const isSession = get.security?.some((scheme) => 'session' in scheme) === true;
  const isAboutUser = /^\/apps\/\{app_uuid\}\/users\//.test(template);
  return isSession || isAboutUser ? [{ template, isSession }] : [];
});

type Ids = Record<string, string>;

function pathOf(template: string, userId: string, ids: Ids): string {
  const named = SUBJECTS.some((subject) => template.includes(`{${subject}}`));
  const isOfServer = template.startsWith('/apps/');
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'app_uuid') return app.appUuid;
    if (SUBJECTS.includes(name) || (name === 'user_id' && isOfServer && !named)) return userId;
    const id = ids[name];
    if (id === undefined) throw new Error(`the test has no ${name}`);
    return id;
  });
}

/** Status, body and number of items of every GET, with the user's id made anonymous. */
async function sightOf(user: TestUser, ids: Ids): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const { template, isSession } of reads) {
    const authorization = isSession ? `Svc session-token="${user.token}"` : `Bearer ${app.accessToken}`;
    const answer = await request(`${app.baseUrl}${pathOf(template, user.id, ids)}`, {
      headers: { accept: MEDIA_TYPE, authorization },
    });
    const text = await answer.body.text();
    seen[template] = {
      status: answer.statusCode,
      count: answer.headers['svc-count'],
      body: text.replaceAll(user.id, 'the-user'),
    };
  }
  return seen;
}

/** Events that a replay of the last hour shows. */
async function replayOf(user: TestUser): Promise<unknown[]> {
  const socket = await user.connect();
  const from_timestamp = new Date(Date.now() - 3_600_000).toISOString();
  const { success } = await socket.request('Event.replay', { data: { from_timestamp } });
  expect(success).toBe(true);
  await socket.close();
  return socket.changes();
}

const KEY = { 'idempotency-key': 'made once' };
const MAKING = { participants: ['bob'], distinct: false, metadata: { by: 'key' } };

/** The application's server acts as the user, with a key of that user. */
async function makeByServer({ id }: TestUser): Promise<Json> {
  const asked = { headers: { 'idempotency-key': 'made once by the server' }, body: MAKING };
  return (await app.server('POST', `/users/${id}/conversations`, 201, asked)).body;
}

/** Fills everything that a user can have. */
async function fill(user: TestUser): Promise<{ ids: Ids; distinct: Json; byServer: Json }> {
  const { body: group } = await user.call('POST', '/conversations', 201, {
    body: { participants: ['bob', 'dan'], distinct: false },
  });
  const { body: distinct } = await user.call('POST', '/conversations', 201, {
    body: { participants: ['bob'] },
  });
  await user.call('POST', '/conversations', 201, { headers: KEY, body: MAKING });
  const byServer = await makeByServer(user);
  for (const { messages_url } of [group, distinct])
    await user.call('POST', messages_url, 201, { body: { parts: [textPart('mine')] } });
  const { body: message } = await bob.call('POST', group.messages_url, 201, {
    body: { parts: [textPart('hello'), textPart('again')] },
  });
  const { body: read } = await bob.call('POST', group.messages_url, 201, {
    body: { parts: [textPart('read')] },
  });
  await user.call('POST', read.receipts_url, 204, { body: { type: 'read' } });
  const upload = { 'upload-content-type': 'text/plain', 'upload-content-length': '5' };
  const { body: content } = await user.call('POST', '/content', 201, { headers: upload });
  await request(content.upload_url, { method: 'PUT', body: 'hello' }).then(({ body }) => body.dump());
  await user.call('POST', '/push_tokens', 202, { body: { token: 'abc', type: 'fcm', device_id: 'phone' } });
  await user.call('PUT', '/presence', 204, { body: { status: 'busy' } });
  await user.call('PUT', '/blocks/eve', 204);
  await user.call('PUT', '/following/users/fay', 204);
  await app.server('PATCH', `/users/dan/blocks`, 202, {
    body: [{ operation: 'add', property: 'blocks', id: user.uri }],
  });
  await app.server('PUT', `/users/${user.id}/badge`, 204, { body: { external_unread_count: 7 } });
  await app.server('POST', `/conversations/${uuidOf(group.id)}/messages`, 202, {
    body: { sender_id: user.id, parts: [textPart('later')], schedule: { delay_in_seconds: 290 } },
  });
  await app.server('POST', '/announcements', 202, {
    body: { recipients: [user.id], sender_id: 'fay', parts: [textPart('news')] },
  });
  const [announcement] = await until('the announcement', async () => {
    const { body } = await user.call('GET', '/announcements', 200);
    return body.length > 0 ? (body as Json[]) : undefined;
  });
  const ids = {
    conversation_id: uuidOf(group.id),
    message_id: uuidOf(message.id),
    part_id: uuidOf(message.parts[0].id),
    content_id: uuidOf(content.id),
    announcement_id: uuidOf(announcement!.id),
    user_id: 'fay',
  };
  return { ids, distinct, byServer };
}

test('a second holder of an erased user id sees exactly what a new user sees, at once and when the erasure is done', async () => {
  expect(reads.length).toBeGreaterThan(30);
  const first = await app.login('holder-id');
  const { ids, distinct, byServer } = await fill(first);
  const watching = await bob.connect();
  const own = await first.connect();
  const before = await sightOf(first, ids);
  await app.server('DELETE', '/users/holder-id', 202);
  const second = await app.login('holder-id');
  const other = await app.login('unused-id');
  const expected = await sightOf(other, ids);
  const timelessSightOf = async (user: TestUser) =>
    JSON.parse(
      JSON.stringify(await sightOf(user, ids)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then'),
    ) as Json;
  expect(before).not.toEqual(expected);
  expect(await sightOf(second, ids)).toEqual(expected);
  expect(await own.untilClosed()).toMatchObject({ code: 4401 });
  expect(await replayOf(second)).toEqual(await replayOf(other));
  await watching.waitFor('the erased identity', isChange('delete', 'Identity', first.uri), 60_000);
  await until(
    'bob’s conversations are without the first holder',
    async () => {
      const { body } = await bob.call('GET', '/conversations', 200);
      return (
        !(body as Json[]).some(({ participants }) => JSON.stringify(participants).includes('holder-id')) ||
        undefined
      );
    },
    60_000,
  );
  // What is stored already may still be on its way to the socket.
  await until('bob is told of each', () => removalsOf(watching, 'holder-id').length >= 4, 30_000);
  expect((await replayOf(bob)).filter((change) => isDeletionOf(change as Json, first.uri))).toHaveLength(1);
  expect(removalsOf(watching, 'holder-id')).toHaveLength(4);
  // Both have had a socket meanwhile.
  const differ = async () => !isDeepStrictEqual(await timelessSightOf(second), await timelessSightOf(other));
  await until('the second holder sees what the other user sees', async () => !(await differ()), 30_000).catch(
    async () => expect(await timelessSightOf(second)).toEqual(await timelessSightOf(other)),
  );

  // What they make is their own: no answer, conversation or block of the first holder is found.
  const { body: made } = await second.call('POST', '/conversations', 201, { headers: KEY, body: MAKING });
  const { body: fresh } = await second.call('POST', '/conversations', 201, {
    body: { participants: ['bob'] },
  });
  expect(fresh.id).not.toBe(distinct.id);
  const remade = await makeByServer(second);
  expect(remade.id).not.toBe(byServer.id);
  const { body: listed } = await second.call('GET', '/conversations', 200);
  expect(listed.map(({ id }: Json) => id).sort()).toEqual([made.id, fresh.id, remade.id].sort());
  await second.call('POST', '/conversations', 201, { body: { participants: ['dan'], distinct: false } });
}, 180_000);

/** Changes of conversations that remove a user. */
function removalsOf(socket: TestSocket, userId: string): Json[] {
  return socket.changes('Conversation').filter(({ data }) => {
    const change = JSON.stringify(data);
    return change.includes('"remove"') && change.includes(userId);
  });
}

function isDeletionOf({ operation, object }: Json, uri: string): boolean {
  return operation === 'delete' && object.type === 'Identity' && object.id === uri;
}
