import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { problems } from '@parley/domain/problems';
import { call, MEDIA_TYPE, type Call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { ACCESS_TOKEN, APP_ID, knownTokens, NONCE, SESSION_TOKEN } from './support/identity.ts';

const CONVERSATION = '01990000-0000-7000-8000-00000000000c';
const asUser = { authorization: `Svc session-token="${SESSION_TOKEN}"` };
const asServer = { authorization: `Bearer ${ACCESS_TOKEN}` };

let gateway: TestGateway;
const listed: { userId: string; pageSize: number }[] = [];

beforeAll(async () => {
  const messagingTransport = createRouterTransport(({ service }) => {
    service(MessagingService, {
      listConversations: ({ userId, pageSize }) => {
        listed.push({ userId, pageSize });
        return { conversations: [], total: 7 };
      },
      getConversation: () => {
        throw new ConnectError('a secret of the service', Code.Internal);
      },
    });
  });
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
});
afterAll(() => gateway.stop());

const request = (method: string, path: string, options?: Call) =>
  call(method, gateway.baseUrl + path, options);
const list = (headers: Call['headers']) =>
  request('GET', '/conversations', { headers: { ...asUser, ...headers } });

describe('Accept', () => {
  test.each([
    [MEDIA_TYPE],
    ['application/vnd.svc+json;version=3.0'],
    ['APPLICATION/VND.SVC+JSON ;  Version="3.0"'],
    ['text/html, application/vnd.svc+json; charset=utf-8; version=3.0; q=0.5, */*;q=0.1'],
    ['x/y;a="quoted, comma; version=2.0", application/vnd.svc+json; version=3.0'],
  ])('%s is honoured', async (accept) => {
    expect((await list({ accept })).status).toBe(200);
  });

  test.each([
    ['*/*'],
    ['application/json'],
    ['application/vnd.svc+json'],
    ['application/vnd.svc+json; version=2.0'],
    ['application/vnd.svc+json version=3.0'],
    ['application/vnd.svc+json; version=3.0; q=0'],
    ['application/vnd.svc.webhooks+json; version=3.0'],
  ])('%s is refused', async (accept) => {
    const { status, json } = await list({ accept });
    expect(status).toBe(406);
    expect(json).toEqual({
      id: 'invalid_header',
      code: 107,
      message: `The Accept header must be: ${MEDIA_TYPE}`,
      url: `${gateway.baseUrl}/docs/errors#invalid_header`,
      data: { header: 'Accept', accepted: [MEDIA_TYPE] },
    });
  });

  test.each([['/'], ['/ping'], ['/docs/errors'], ['/openapi.json'], ['/asyncapi.json']])(
    '%s needs none',
    async (path) => {
      expect((await request('GET', path, { headers: { accept: 'text/html' } })).status).toBeLessThan(300);
    },
  );
});

describe('request ids', () => {
  test('a valid one is kept', async () => {
    expect((await list({ 'x-request-id': 'my-request.1' })).headers.get('x-request-id')).toBe('my-request.1');
  });

  test.each([['with space'], ['x'.repeat(129)], [undefined]])('%s is replaced', async (given) => {
    const id = (await list({ 'x-request-id': given })).headers.get('x-request-id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('errors and unknown paths have one too', async () => {
    for (const path of ['/nowhere', '/conversations']) {
      expect((await request('GET', path)).headers.get('x-request-id')).toBeTruthy();
    }
  });
});

describe('paths and methods', () => {
  test('an unknown path is an invalid endpoint, with any method and body', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, json } = await request(method, '/nowhere', { headers: { accept: undefined } });
      expect({ status, id: json['id'] }).toEqual({ status: 404, id: 'invalid_endpoint' });
    }
  });

  test('a known path with another method answers with its methods', async () => {
    const { status, json, headers } = await request('PUT', `/conversations/${CONVERSATION}`);
    expect({ status, id: json['id'] }).toEqual({ status: 405, id: 'method_not_allowed' });
    expect(headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH');
  });

  test('a POST stands for the method that X-HTTP-Method-Override names', async () => {
    const override = { ...asServer, 'x-http-method-override': 'delete' };
    expect((await request('POST', '/nonces', { headers: override })).status).toBe(405);
    expect(
      (await request('POST', '/nonces', { headers: { 'x-http-method-override': 'CONNECT' } })).status,
    ).toBe(400);
  });

  test('a path that is not percent-encoded UTF-8 is refused', async () => {
    expect((await request('GET', '/messages/%ff', { headers: asUser })).status).toBe(400);
  });
});

describe('authorization', () => {
  test.each([
    [`Svc session-token="${SESSION_TOKEN}"`],
    [`Svc session-token='${SESSION_TOKEN}'`],
    [`svc  Session-Token=${SESSION_TOKEN}`],
  ])('%s is understood', async (authorization) => {
    expect((await list({ authorization })).status).toBe(200);
  });

  test.each([[undefined], ['Svc session-token="unknown"'], [`Bearer ${ACCESS_TOKEN}`], ['Basic abc']])(
    '%s is refused by the client API with a fresh nonce',
    async (authorization) => {
      const { status, json } = await list({ authorization });
      expect({ status, id: json['id'], data: json['data'] }).toEqual({
        status: 401,
        id: 'authentication_required',
        data: { nonce: NONCE, schemes: ['Svc'] },
      });
    },
  );

  test('the server API refuses sessions, without a nonce', async () => {
    const path = `/apps/${APP_ID}/conversations`;
    const { status, json, headers } = await request('GET', path, { headers: asUser });
    expect({ status, data: json['data'] }).toEqual({ status: 401, data: { schemes: ['Bearer'] } });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="svc"');
  });

  test("another app's path does not exist", async () => {
    const { status, json } = await request('GET', `/apps/${CONVERSATION}/conversations`, {
      headers: asServer,
    });
    expect({ status, id: json['id'] }).toEqual({ status: 404, id: 'not_found' });
  });

  test('a server acts as a user of its app, and as no other', async () => {
    const path = (userId: string) =>
      `/apps/${APP_ID.toUpperCase()}/users/${userId}/conversations?page_size=3`;
    expect((await request('GET', path('alice'), { headers: asServer })).headers.get('svc-count')).toBe('7');
    expect(listed.at(-1)).toEqual({ userId: 'alice', pageSize: 3 });
    expect((await request('GET', path('nobody'), { headers: asServer })).json['id']).toBe('not_found');
    expect((await request('GET', path('mallory'), { headers: asServer })).json['id']).toBe('user_suspended');
  });

  test('GET / checks a token, and does not require one', async () => {
    const open = await request('GET', '/');
    expect(open.status).toBe(204);
    const base = gateway.baseUrl;
    expect(open.headers.get('link')).toBe(
      `<${base}/nonces>; rel=nonces, <${base}/sessions>; rel=sessions, <${base}/conversations>; rel=conversations, ` +
        `<${base}/content>; rel=content, <${base.replace('http', 'ws')}/websocket>; rel=websocket`,
    );
    expect((await request('GET', '/', { headers: asUser })).status).toBe(204);
    expect((await request('GET', '/', { headers: asServer })).status).toBe(204);
    const dead = await request('GET', '/', { headers: { authorization: 'Svc session-token="dead"' } });
    expect(dead.status).toBe(401);
  });
});

describe('answers', () => {
  test('JSON has a charset, and lists tell how many there are', async () => {
    const { headers, text } = await list({});
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('svc-count')).toBe('7');
    expect(text).toBe('[]');
  });

  test('HEAD and GET /ping need no authentication', async () => {
    expect((await request('HEAD', '/ping', { headers: { accept: undefined } })).status).toBe(200);
    expect((await request('GET', '/ping', { headers: { accept: undefined } })).status).toBe(200);
  });

  test('the documentation has a section for every error', async () => {
    const { text, headers } = await request('GET', '/docs/errors');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const id of Object.keys(problems)) expect(text).toContain(`id="${id}"`);
  });

  test('the OpenAPI document has the paths of the table', async () => {
    const { json } = await request('GET', '/openapi.json');
    const paths = json['paths'] as Record<string, object>;
    expect(Object.keys(paths['/conversations/{conversation_id}'] ?? {}).sort()).toEqual([
      'delete',
      'get',
      'patch',
    ]);
  });

  test('the AsyncAPI document has the methods of sockets at the address of this gateway', async () => {
    const { json } = await request('GET', '/asyncapi.json');
    expect(json).toMatchObject({
      asyncapi: '3.0.0',
      servers: { gateway: { host: new URL(gateway.baseUrl).host, protocol: 'ws' } },
      operations: { createMessage: { action: 'receive' }, sendChanges: { action: 'send' } },
    });
  });

  test('a missing message is a 404 without a body, a missing conversation is not', async () => {
    const message = await request('GET', '/messages/nonsense', { headers: asUser });
    expect([message.status, message.text]).toEqual([404, '']);
    const conversation = await request('GET', '/conversations/nonsense', { headers: asUser });
    expect([conversation.status, conversation.json['id']]).toEqual([404, 'not_found']);
  });

  test('an internal failure is answered without a reason', async () => {
    const { status, json, text } = await request('GET', `/conversations/${CONVERSATION}`, {
      headers: asUser,
    });
    expect({ status, id: json['id'], data: json['data'] }).toEqual({
      status: 500,
      id: 'internal_server_error',
      data: null,
    });
    expect(text).not.toContain('secret');
  });
});
