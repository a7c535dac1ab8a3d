import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { failNotFound, problem } from '@parley/domain/problems';
import { currentContext } from '@parley/kit/runtime/request-context';
import { startTracing } from '@parley/kit/runtime/telemetry/tracing';
import { attributesOf, startCollector, type Span } from '@parley/kit/testing/collector';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { call } from './support/call.ts';
import { createClients, packetsOf } from './support/extended-sockets.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';

const ID = '01990000-0000-7000-8000-00000000000';
const CONVERSATION = `svc:///conversations/${ID}1`;
const REFUSED = `svc:///conversations/${ID}2`;
const TRACE = `${'a'.repeat(32)}`;
const SERVER = 2;

const requestIds: (string | undefined)[] = [];
let collector: Awaited<ReturnType<typeof startCollector>>;
let stopTracing: () => Promise<void>;
let gateway: TestGateway;

/** Messaging that stores messages, except in one conversation, and is out of order otherwise. */
const messagingTransport = createRouterTransport(({ service }) => {
  service(MessagingService, {
    sendMessages({ items }) {
      requestIds.push(currentContext()?.requestId);
      return {
        results: items.map(({ conversationId }) =>
          conversationId.endsWith('2')
            ? { outcome: { case: 'problem' as const, value: problem('access_denied') } }
            : {
                outcome: {
                  case: 'stored' as const,
                  value: { seq: 1, membersSeq: 1, position: 1, sentAt: 1, sender: { userId: 'alice' } },
                },
              },
        ),
      };
    },
    getAudiences: ({ items }) => ({
      audiences: items.map(({ appId, conversationId }) => ({ appId, conversationId, seq: 1, membersSeq: 1 })),
    }),
    getConversation: ({ id }) => failNotFound('conversation', id),
    listConversations: () => Promise.reject(new ConnectError('down', Code.Unavailable)),
  });
});

beforeEach(async () => {
  collector = await startCollector();
  stopTracing = await startTracing({ service: 'gateway', endpoint: collector.endpoint });
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
  await until(() => gateway.context.auth.learnRevocations().then(() => true), {
    ...{ withinMs: 10_000, what: 'revocations are known' },
  });
  requestIds.length = 0;
});
afterEach(() => terminateAll());
const { greeted, terminateAll } = createClients(() => gateway.baseUrl);

/** Stops the gateway; all spans that it recorded. */
async function spans(): Promise<Span[]> {
  await gateway.stop();
  await stopTracing();
  collector.stop();
  return collector.spans();
}

const serverSpans = async () => (await spans()).filter(({ kind }) => kind === SERVER);

function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const authorization = `Svc session-token="${SESSION_TOKEN}"`;
  return call(method, `${gateway.baseUrl}${path}`, { headers: { authorization, ...headers } });
}

describe('the span of a request over HTTP', () => {
  test('has the method, the route, the path without the query, and the status', async () => {
    const traceparent = `00-${TRACE}-${'b'.repeat(16)}-01`;
    const headers = { traceparent, 'x-request-id': 'r-1' };
    expect((await ask('GET', `/conversations/${ID}1?a=secret`, headers)).status).toBe(404);
    const [span] = await serverSpans();
    expect(span).toMatchObject({
      ...{ name: 'GET /conversations/:conversation_id', kind: SERVER },
      ...{ traceId: TRACE, parentSpanId: 'b'.repeat(16) },
    });
    expect(attributesOf(span)).toEqual({
      'http.request.method': 'GET',
      'http.route': '/conversations/:conversation_id',
      'url.path': `/conversations/${ID}1`,
      'http.response.status_code': 404,
      'parley.request_id': 'r-1',
    });
    expect(span?.status.code ?? 0).toBe(0);
  });

  test('is an error only if the answer is one of the server', async () => {
    expect((await ask('GET', '/conversations')).status).toBe(503);
    const [span] = await serverSpans();
    expect(attributesOf(span)).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' });
    expect(span?.status.code).toBe(2);
  });

  test('has no route where there is none, and no session token', async () => {
    await ask('DELETE', '/sessions/a-token-of-somebody');
    await ask('PUT', '/sessions/a-token-of-somebody');
    await ask('GET', '/nothing/here');
    const all = await serverSpans();
    expect(JSON.stringify(all)).not.toContain('a-token-of-somebody');
    expect(all.map(({ name }) => name)).toEqual(['DELETE /sessions/:token', 'PUT', 'GET']);
    expect(attributesOf(all[2])).toMatchObject({
      'url.path': '/nothing/here',
      'http.response.status_code': 404,
    });
    expect(attributesOf(all[2])).not.toHaveProperty(['http.route']);
  });
});

describe('a request over a socket', () => {
  const packet = (requestId: unknown, method: string, objectId: string | undefined) =>
    JSON.stringify({
      type: 'request',
      body: {
        ...{ request_id: requestId, method, object_id: objectId },
        data: { parts: [{ mime_type: 'text/plain', body: 'hello' }] },
      },
    });

  test('has a span with its method and outcome, whose child is the wait for its batch', async () => {
    const client = await greeted();
    client.socket.send(packet('r-1', 'Message.create', CONVERSATION));
    await packetsOf(client, 2);
    client.socket.send(packet('r-2', 'Message.create', REFUSED));
    await packetsOf(client, 3);
    client.socket.send(packet('r-3', 'Message.invent', CONVERSATION));
    await packetsOf(client, 4);
    client.socket.terminate();
    const all = await spans();
    const own = all.filter((span) => 'parley.socket.method' in attributesOf(span));
    expect(own.map(({ name, kind, parentSpanId }) => [name, kind, parentSpanId ?? ''])).toEqual([
      ['Message.create', SERVER, ''],
      ['Message.create', SERVER, ''],
      ['unknown', SERVER, ''],
    ]);
    expect(own.map(attributesOf)).toMatchObject([
      { 'parley.socket.outcome': 'success', 'parley.request_id': 'r-1' },
      { 'parley.socket.outcome': 'access_denied', 'parley.request_id': 'r-2' },
      { 'parley.socket.outcome': 'invalid_request', 'parley.request_id': 'r-3' },
    ]);
    const waits = all.filter(({ name }) => name === 'messages wait for a batch');
    expect(waits.map(({ parentSpanId }) => parentSpanId)).toEqual([own[0]?.spanId, own[1]?.spanId]);
    expect(waits.map(attributesOf)).toMatchObject([
      { 'parley.batch.outcome': 'stored' },
      { 'parley.batch.outcome': 'refused', 'parley.batch.error': 'access_denied' },
    ]);
  });

  test('has the id that its client gave it in calls of services, or a new one', async () => {
    const client = await greeted();
    const given = ['r-1', 7, 'two words', null];
    for (const [index, id] of given.entries()) {
      client.socket.send(packet(id, 'Message.create', CONVERSATION));
      await packetsOf(client, index + 2);
    }
    expect(requestIds.slice(0, 2)).toEqual(['r-1', '7']);
    const generated = requestIds.slice(2);
    expect(generated).toHaveLength(2);
    for (const id of generated) expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(generated).size).toBe(2);
    client.socket.terminate();
    await spans();
  });
});
