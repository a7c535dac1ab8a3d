import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ParleyError } from '@parley/client/server';
import type * as ServerApi from './server.ts';

const UUID = '01990000-0000-7000-8000-000000000001';
const NEXT = '</conversations?cursor=c>; rel="next"';

/** Requests that arrived, each as `<method> <path>` with the token that it had. */
let arrived: [request: string, token: string][];
/** Tokens that the platform refuses. */
let revoked: Set<string>;
let issued: number;
let platform: Server;
let api: typeof ServerApi;

/** The page's own address, which a browser has and Node has not. */
async function openPage(origin: string): Promise<void> {
  const { fetch } = globalThis;
  Object.assign(globalThis, {
    location: new URL(origin),
    fetch: (input: string, init?: RequestInit) => fetch(new URL(input, origin), init),
  });
  api = await import('./server.ts');
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

beforeAll(async () => {
  platform = createServer((request, response) => {
    void textOf(request).then((body) => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      arrived.push([`${request.method} ${request.url}`, token]);
      response.setHeader('content-type', 'application/json');
      if (request.url === '/console/app-token') {
        const { access } = JSON.parse(body) as { access: string };
        response.end(JSON.stringify({ token: `${access}-${++issued}` }));
      } else if (revoked.has(token)) {
        response.writeHead(401).end('{"id":"authentication_required","code":2,"message":"No."}');
      } else {
        response.setHeader('chat-count', '7').setHeader('link', NEXT).end('[]');
      }
    });
  });
  await once(platform.listen(0, '127.0.0.1'), 'listening');
  await openPage(`http://127.0.0.1:${(platform.address() as AddressInfo).port}`);
});
afterAll(() => platform.close());

let apps = 0;
/** A separate application, for which no token was made yet. */
function newApp() {
  const appUuid = `${UUID.slice(0, -3)}${String(++apps).padStart(3, '0')}`;
  return { appUuid, id: `chat:///apps/production/${appUuid}` };
}
beforeEach(() => {
  arrived = [];
  revoked = new Set();
  issued = 0;
});

test('reads have a token for reading, changes one for writing, and each is kept', async () => {
  const app = newApp();
  const root = `/apps/${app.appUuid}`;
  await api.readServer(app, (server) => server.listWebhooks());
  await api.readServer(app, (server) => server.listExports());
  await api.writeServer(app, (server) => server.deleteWebhook('w'));
  expect(arrived).toEqual([
    ['POST /console/app-token', ''],
    [`GET ${root}/webhooks`, 'read-1'],
    [`GET ${root}/exports`, 'read-1'],
    ['POST /console/app-token', ''],
    [`DELETE ${root}/webhooks/w`, 'write-2'],
  ]);
});

test('a list comes with the number of all items and the link to the next page', async () => {
  const answer = await api.readServerList(newApp(), (server) => server.listConversations({ pageSize: 1 }));
  expect(answer).toEqual({ body: [], count: 7, link: NEXT });
});

test('a token that was revoked is replaced', async () => {
  const app = newApp();
  revoked.add('read-1');
  await api.readServer(app, (server) => server.listWebhooks());
  const tokens = arrived.filter(([request]) => request.startsWith('GET')).map(([, token]) => token);
  expect(tokens).toEqual(['read-1', 'read-2']);
});

test('a token that is refused after it was replaced is the failure', async () => {
  const app = newApp();
  for (const token of ['read-1', 'read-2']) revoked.add(token);
  const error: unknown = await api
    .readServer(app, (server) => server.listWebhooks())
    .catch((failure: unknown) => failure);
  expect((error as ParleyError).status).toBe(401);
  expect(issued).toBe(2);
});

test('a call without an answer is sent once', async () => {
  const app = newApp();
  await api.readServer(app, (server) => server.listWebhooks());
  const { fetch } = globalThis;
  let tries = 0;
  globalThis.fetch = () => Promise.reject(new TypeError(`no answer ${++tries}`));
  const error: unknown = await api
    .readServer(app, (server) => server.listWebhooks())
    .catch((failure: unknown) => failure);
  globalThis.fetch = fetch;
  expect([(error as ParleyError).id, tries]).toEqual(['network_error', 1]);
});
