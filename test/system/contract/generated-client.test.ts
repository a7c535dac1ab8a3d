import createClient from 'openapi-fetch';
import { createApp, type TestApp } from '../../support/app.ts';
import { readOpenApi, type OpenApi } from '../../support/contract/document.ts';
import {
  createExampleObjects,
  inOrder,
  type ExampleObjects,
} from '../../support/contract/example-objects.ts';
import { generateClient, operationsOf, type GeneratedClient } from '../../support/generated-client.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

/** Both media types of the API, in the one header that a generated client needs. */
const ACCEPT = 'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0';

let app: TestApp;
let document: Json;
let generated: GeneratedClient;
let api: OpenApi;
let objects: ExampleObjects;

beforeAll(async () => {
  app = await createApp(await platform());
  document = (await call('GET', `${app.baseUrl}/openapi.json`, 200)).body;
  generated = await generateClient(document);
  api = readOpenApi(document);
  objects = await createExampleObjects(app);
});

afterAll(() => objects.stop());

function clientOf(authorization: string): unknown {
  return createClient({ baseUrl: app.baseUrl, headers: { accept: ACCEPT, authorization } });
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
    const ids = await objects.freshIds(operation);
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
