import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { readOpenApi, type OpenApi } from '../../support/contract/document.ts';
import {
  generateClient,
  operationsOf,
  type Described,
  type GeneratedClient,
} from '../../support/generated-client.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { SECRET, subscribe, webhooksCall, type Subscribed } from '../../support/webhooks.ts';

/** Both media types of the API, in the one header that a generated client needs. */
const ACCEPT = 'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0';

let app: TestApp;
let ada: TestUser;
let document: Json;
let generated: GeneratedClient;
let api: OpenApi;
let webhookId: string;
let subscribed: Subscribed;

beforeAll(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
  await Promise.all([app.login('bob'), app.login('grace')]);
  document = (await call('GET', `${app.baseUrl}/openapi.json`, 200)).body;
  generated = await generateClient(document);
  api = readOpenApi(document);
  const body = {
    ...{ version: '3.0', target_url: 'http://127.0.0.1:1/notices', secret: SECRET },
    events: ['Message.created'],
  };
  subscribed = await subscribe(app, ['Message.created']);
  webhookId = uuidOf((await webhooksCall(app, 'POST', '', 201, { body })).body.id);
});

afterAll(() => subscribed.receiver.stop());

function clientOf(authorization: string): unknown {
  return createClient({ baseUrl: app.baseUrl, headers: { accept: ACCEPT, authorization } });
}

/** The id of an announcement that Ada has got. */
async function announce(): Promise<string> {
  const body = { recipients: ['ada', 'bob'], sender_id: 'bob', parts: [textPart('news')] };
  const id = uuidOf((await app.server('POST', '/announcements', 202, { body })).body.id);
  return until('the announcement has arrived', async () => {
    const { body: listed } = await ada.call('GET', '/announcements', 200);
    return listed.some((one: Json) => uuidOf(one.id) === id) ? id : undefined;
  });
}

/** The id of a content of Ada, or of the server in a conversation, as the path wants it. */
async function upload(path: string, conversation: string): Promise<string> {
  const headers = { 'upload-content-type': 'image/png', 'upload-content-length': '10' };
  const created = path.includes('/conversations/')
    ? await app.server('POST', `/conversations/${conversation}/content`, 201, { headers })
    : await ada.call('POST', '/content', 201, { headers });
  await call('PUT', created.body.upload_url, 200, { raw: Buffer.alloc(10) });
  return uuidOf(created.body.id);
}

/** The id of a message of a conversation that waits to be sent. */
async function schedule(conversation: string): Promise<string> {
  const body = { sender_id: 'ada', parts: [textPart('later')], schedule: { delay_in_seconds: 300 } };
  const path = `/conversations/${conversation}/messages`;
  const { headers } = await app.server('POST', path, 202, { body });
  return uuidOf(headers['location'] ?? '');
}

/** The ids of a delivery, which is made by the message that every operation has of its own, and of its webhook. */
async function delivery(): Promise<Record<string, string>> {
  const { uuid } = subscribed;
  return until('there is a delivery', async () => {
    const { body } = await webhooksCall(app, 'GET', `/${uuid}/deliveries`, 200);
    return body[0] && { webhook_id: uuid, delivery_id: body[0].id };
  });
}

/** The id of the export that an example has requested. */
async function latestExport(): Promise<string> {
  return uuidOf((await app.server('GET', '/exports', 200)).body[0].id);
}

/** The user whom an operation is about: followed, without an identity, or one who is not known to others. */
async function userFor(id: string): Promise<string> {
  const user = `carol-${randomUUID()}`;
  if (id === 'createIdentity') return user;
  await app.login(user);
  if (id.startsWith('isFollowing')) await ada.call('PUT', `/following/users/${user}`, 204);
  return user;
}

/** Objects of its own for each operation, so that one may delete what another reads. */
async function freshIds({ id, path: wanted }: Described): Promise<Record<string, string>> {
  const participants = ['ada', 'bob'];
  const conversation = (
    await app.server('POST', '/conversations', 201, { body: { participants, distinct: false } })
  ).body;
  const parts = [textPart('first'), textPart('second')];
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  const message = (await ada.call('POST', path, 201, { body: { parts } })).body;
  const [user, other] = await Promise.all([app.login('ada'), userFor(id)]);
  return {
    ...{ app_uuid: app.appUuid, user_id: other, owner_user_id: 'ada', as_user_id: 'ada' },
    ...{ conversation_id: uuidOf(conversation.id), message_id: uuidOf(message.id) },
    ...{ part_id: uuidOf(message.parts[1].id), webhook_id: webhookId, device_id: 'phone-1' },
    token: user.token,
    ...(wanted.includes('{delivery_id}') && (await delivery())),
    ...(wanted.includes('{export_id}') && { export_id: await latestExport() }),
    ...(wanted.includes('/scheduled_messages/') && { message_id: await schedule(uuidOf(conversation.id)) }),
    ...(wanted.includes('{announcement_id}') && { announcement_id: await announce() }),
    ...(wanted.includes('{content_id}') && { content_id: await upload(wanted, uuidOf(conversation.id)) }),
  };
}

/** Sorts operations: those that create first, those that delete last. */
function inOrder(operations: Described[]): Described[] {
  const ranks = ['PUT', 'POST', 'GET', 'PATCH', 'DELETE'];
  const rankOf = ({ method }: Described) => ranks.indexOf(method);
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Examples that cannot succeed. */
const REFUSED = [
  // The example is no genuine token.
  'createSession 403',
  // A message has the id of the example already.
  ...['sendMessageAsServer 409', 'sendMessageAsUser 409'],
];

test('a generated client sends the example of every operation, and gets what its types say', async () => {
  const asServer = clientOf(`Bearer ${app.accessToken}`);
  const refused: string[] = [];
  const problems: string[] = [];
  for (const operation of inOrder(operationsOf(document))) {
    const ids = await freshIds(operation);
    const client = operation.isOfServer ? asServer : clientOf(`Svc session-token="${ids['token']}"`);
    const sent = await generated[operation.id]?.(client, ids);
    if (!sent) throw new Error(`the generated client lacks ${operation.id}`);
    const problem = api.problemOf(operation, sent);
    if (problem) problems.push(`${operation.id}: ${problem}: ${JSON.stringify(sent.body)}`);
    if (sent.status >= 400) refused.push(`${operation.id} ${sent.status}`);
  }
  expect(problems).toEqual([]);
  expect(refused.sort()).toEqual(REFUSED.toSorted());
});

test('one header is right for every route; what fetch sends without it is refused', async () => {
  const authorization = `Bearer ${app.accessToken}`;
  for (const path of ['conversations', 'webhooks']) {
    const url = `${app.baseUrl}/apps/${app.appUuid}/${path}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(406);
    expect((await fetch(url, { headers: { authorization, accept: ACCEPT } })).status).toBe(200);
  }
});
