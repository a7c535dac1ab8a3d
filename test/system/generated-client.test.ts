import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../support/app.ts';
import { createResponseCheck, type ResponseCheck } from '../support/described-response.ts';
import {
  generateClient,
  operationsOf,
  type Described,
  type GeneratedClient,
} from '../support/generated-client.ts';
import { call } from '../support/http.ts';
import type { Json } from '../support/json.ts';
import { platform } from '../support/platform.ts';
import { SECRET, webhooksCall } from '../support/webhooks.ts';

/** Both media types of the API: the one line that a generated client needs. */
const ACCEPT = 'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0';

let app: TestApp;
let ada: TestUser;
let document: Json;
let generated: GeneratedClient;
let check: ResponseCheck;
let webhookId: string;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada] = await Promise.all([app.login('ada'), app.login('bob')]);
  document = (await call('GET', `${app.baseUrl}/openapi.json`, 200)).body;
  generated = await generateClient(document);
  check = createResponseCheck(document);
  const body = {
    ...{ version: '3.0', target_url: 'http://127.0.0.1:1/notices', secret: SECRET },
    events: ['Message.created'],
  };
  webhookId = uuidOf((await webhooksCall(app, 'POST', '', 201, { body })).body.id);
});

function clientOf(authorization: string): unknown {
  return createClient({ baseUrl: app.baseUrl, headers: { accept: ACCEPT, authorization } });
}

/** Objects of its own for each operation, so that one may delete what another reads. */
async function freshIds(): Promise<Record<string, string>> {
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
    ...{ content_id: randomUUID(), announcement_id: randomUUID() },
  };
}

/** What makes something first, and what deletes it last. */
function inOrder(operations: Described[]): Described[] {
  const ranks = ['PUT', 'POST', 'GET', 'PATCH', 'DELETE'];
  const rankOf = ({ method }: Described) => ranks.indexOf(method);
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b));
}

test('a generated client sends the example of every operation, and gets what its types say', async () => {
  const asServer = clientOf(`Bearer ${app.accessToken}`);
  const refused: string[] = [];
  const problems: string[] = [];
  for (const operation of inOrder(operationsOf(document))) {
    const ids = await freshIds();
    const client = operation.isOfServer ? asServer : clientOf(`Svc session-token="${ids['token']}"`);
    const sent = await generated[operation.id]?.(client, ids);
    if (!sent) throw new Error(`the generated client lacks ${operation.id}`);
    problems.push(...check(operation, sent).map((problem) => `${operation.id}: ${problem}`));
    if (sent.status >= 400) refused.push(`${operation.id} ${sent.status}`);
  }
  expect(problems).toEqual([]);
  expect(refused).toEqual([]);
});

test('one header is right for every route; what fetch sends without it is refused', async () => {
  const authorization = `Bearer ${app.accessToken}`;
  for (const path of ['conversations', 'webhooks']) {
    const url = `${app.baseUrl}/apps/${app.appUuid}/${path}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(406);
    expect((await fetch(url, { headers: { authorization, accept: ACCEPT } })).status).toBe(200);
  }
});
