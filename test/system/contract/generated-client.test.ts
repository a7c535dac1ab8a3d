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
import { SECRET, webhooksCall } from '../../support/webhooks.ts';

/** Both media types of the API: the one line that a generated client needs. */
const ACCEPT = 'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0';

let app: TestApp;
let ada: TestUser;
let document: Json;
let generated: GeneratedClient;
let api: OpenApi;
let webhookId: string;

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
  webhookId = uuidOf((await webhooksCall(app, 'POST', '', 201, { body })).body.id);
});

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

/** Objects of its own for each operation, so that one may delete what another reads. */
async function freshIds({ path: wanted }: Described): Promise<Record<string, string>> {
  const participants = ['ada', 'bob'];
  const conversation = (
    await app.server('POST', '/conversations', 201, { body: { participants, distinct: false } })
  ).body;
  const parts = [textPart('first'), textPart('second')];
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  const message = (await ada.call('POST', path, 201, { body: { parts } })).body;
  const [user, carol] = await Promise.all([app.login('ada'), app.login(`carol-${randomUUID()}`)]);
  return {
    ...{ app_uuid: app.appUuid, user_id: carol.id, owner_user_id: 'ada', as_user_id: 'ada' },
    ...{ conversation_id: uuidOf(conversation.id), message_id: uuidOf(message.id) },
    ...{ part_id: uuidOf(message.parts[1].id), webhook_id: webhookId, device_id: 'phone-1' },
    ...{ token: user.token, delivery_id: randomUUID(), export_id: randomUUID() },
    ...(wanted.includes('{announcement_id}') && { announcement_id: await announce() }),
    ...(wanted.includes('{content_id}') && { content_id: await upload(wanted, uuidOf(conversation.id)) }),
  };
}

/** What makes something first, and what deletes it last. */
function inOrder(operations: Described[]): Described[] {
  const ranks = ['PUT', 'POST', 'GET', 'PATCH', 'DELETE'];
  const rankOf = ({ method }: Described) => ranks.indexOf(method);
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Examples that cannot succeed, since nothing is there that they name, or it is there already. */
const REFUSED = [
  // The example is no genuine token.
  'createSession 403',
  // The user has an identity, and a message has the id of the example.
  ...['createIdentity 409', 'sendMessage 409', 'sendMessageAsUser 409'],
  // Nothing was delivered, exported, scheduled or followed.
  ...['getDelivery 404', 'replayDelivery 404', 'getExport 404', 'deleteExport 404'],
  ...['getScheduledMessage 404', 'cancelScheduledMessage 404'],
  ...['isFollowing 404', 'isFollowingAsUser 404', 'isFollowingOfUser 404'],
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
