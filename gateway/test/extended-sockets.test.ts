import { once } from 'node:events';
import { createRouterTransport } from '@connectrpc/connect';
import { failNotFound } from '@parley/domain/problems';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createClients, packetsOf, refusedStatus, until, WITH_TOKEN } from './support/extended-sockets.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';

const CONVERSATION = 'svc:///conversations/01990000-0000-7000-8000-000000000001';
const HIDDEN = 'svc:///conversations/01990000-0000-7000-8000-000000000002';

const lines: string[] = [];
let gateway: TestGateway;

beforeAll(async () => {
  const messagingTransport = createRouterTransport(({ service }) => {
    service(MessagingService, {
      sendTyping: ({ conversationId }) =>
        conversationId.endsWith('2') ? failNotFound('conversation', conversationId) : {},
    });
  });
  const log = createLogger({
    service: 'gateway',
    level: 'trace',
    destination: { write: (line) => void lines.push(line) },
  });
  gateway = await startGateway({
    identityTransport: knownTokens(),
    messagingTransport,
    log,
    env: { PARLEY_RATE_LIMIT_FACTOR: '2' },
  });
});
afterAll(() => gateway.stop());
const { connect, greeted, terminateAll } = createClients(() => gateway.baseUrl);
afterEach(terminateAll);

describe('hello', () => {
  test('is the first packet, and the others follow its number', async () => {
    const before = Date.now();
    const client = await greeted();
    expect(client.socket.protocol).toBe('svc-3.1');
    client.socket.send('{"type":"request","body":{"request_id":"1","method":"Counter.read"}}');
    const [hello, response] = await packetsOf(client, 2);
    expect(hello).toMatchObject({ type: 'hello', counter: 0 });
    expect(response).toMatchObject({ type: 'response', counter: 1, body: { data: { counter: 0 } } });
    expect(Date.parse(String(hello?.body['server_time']))).toBeGreaterThanOrEqual(before);
    expect(hello?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(hello?.body).toEqual({
      user: {
        id: 'svc:///identities/alice',
        url: `${gateway.baseUrl}/identities/alice`,
        user_id: 'alice',
        display_name: null,
        avatar_url: null,
      },
      session_expires_at: null,
      server_time: expect.stringMatching(/Z$/),
      keep_alive_in_seconds: 30,
      limits: {
        packet_bytes: 1_048_576,
        request_body_bytes: 1_048_576,
        message_bytes: 900_000,
        inline_body_bytes: 2048,
        parts: 1000,
        json_depth: 64,
        page_size: {
          conversations: 100,
          messages: 100,
          announcements: 100,
          identities: 500,
          followed_users: 500,
        },
        rates: {
          requests_of_session: { per_second: 200, burst: 1000 },
          upgrades_of_session: { per_second: 4, burst: 60 },
          upgrades_of_address: { per_second: 100, burst: 1000 },
        },
        requests_under_way: { lists: 8, patches: 4, replays: 4 },
        sockets_of_user: 20,
        replays_of_socket: 2,
        replay_weight: 10,
        presence_ids: 1000,
        replay_overlap_in_seconds: 18,
      },
    });
  });

  test('is not sent to a socket of the original subprotocol alone', async () => {
    const client = connect(['svc-3.0'], WITH_TOKEN);
    await once(client.socket, 'open');
    expect(client.socket.protocol).toBe('svc-3.0');
    client.socket.send('{"type":"request","body":{"request_id":"1","method":"Counter.read"}}');
    expect(await packetsOf(client, 1)).toMatchObject([{ type: 'response', counter: 0 }]);
  });
});

describe('a token among the subprotocols', () => {
  test('opens the socket, and is not echoed', async () => {
    const client = await greeted(['svc-3.1', `svc-token.${SESSION_TOKEN}`], {});
    expect(client.socket.protocol).toBe('svc-3.1');
  });

  test('goes before the query, which goes before the header', async () => {
    const header = { authorization: `Svc session-token="${SESSION_TOKEN}"` };
    const dead = connect(['svc-3.1', 'svc-token.dead'], { ...WITH_TOKEN, headers: header });
    expect(await dead.closed).toEqual({ code: 4401, reason: 'authentication_required' });
    await greeted(['svc-3.1', `svc-token.${SESSION_TOKEN}`], { query: '?session_token=dead' });
    const query = connect(['svc-3.1'], { query: '?session_token=dead', headers: header });
    expect((await query.closed).code).toBe(4401);
    await greeted(['svc-3.1'], { headers: header });
  });

  test('means nothing without the extended subprotocol', async () => {
    expect(await refusedStatus(connect(['svc-3.0', `svc-token.${SESSION_TOKEN}`]))).toBe(401);
  });

  test('is in no log line, and neither is one of the query', async () => {
    const secrets = ['secret-of-a-subprotocol-000000000000', 'secret-of-a-query-000000000000'];
    await connect(['svc-3.1', `svc-token.${secrets[0]}`], { query: `?session_token=${secrets[1]}` }).closed;
    await refusedStatus(connect(['svc-3.0'], { query: `?session_token=${secrets[1]}` }));
    gateway.context.log.warn(
      { headers: { 'sec-websocket-protocol': `svc-3.1, svc-token.${secrets[0]}` } },
      'x',
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of [...secrets, SESSION_TOKEN]) expect(lines.join('')).not.toContain(secret);
  });
});

describe('a packet that is dropped', () => {
  const typing = (id: string, action = 'started') =>
    `{"type":"signal","body":{"type":"typing_indicator","object":{"id":"${id}"},"data":{"action":"${action}"}}}`;

  test.each([
    ['an unknown signal', '{"type":"signal","body":{"type":"wave"}}', 'invalid_request'],
    ['a signal without a type', '{"type":"signal","body":{}}', 'invalid_request'],
    ['an unknown action', typing(CONVERSATION, 'dancing'), 'invalid_request'],
    ['typing in a conversation that the user does not see', typing(HIDDEN), 'not_found'],
    ['a request id that is none', '{"type":"request","body":{"request_id":{}}}', 'invalid_request'],
    ['a body that is none', '{"type":"request","body":7}', 'invalid_request'],
    ['JSON that is too deep', '['.repeat(100), 'invalid_request'],
  ])('is answered by an error: %s', async (_, packet, id) => {
    const client = await greeted();
    client.socket.send(packet);
    const [, error] = await packetsOf(client, 2);
    expect(error).toMatchObject({ type: 'error', counter: 1, timestamp: expect.any(String), body: { id } });
    expect(Object.keys(error?.body ?? {}).sort()).toEqual(['code', 'data', 'id', 'message', 'url']);
    client.socket.send('{"type":"request","body":{"request_id":"1","method":"Counter.read"}}');
    expect((await packetsOf(client, 3))[2]).toMatchObject({ type: 'response', counter: 2 });
  });

  test('names the conversation of a signal', async () => {
    const client = await greeted();
    client.socket.send(typing(HIDDEN));
    const [, error] = await packetsOf(client, 2);
    expect(error?.body['data']).toMatchObject({ object_id: HIDDEN });
  });

  test.each<[string, string | Buffer, number]>([
    ['what is not JSON', 'not json', 1007],
    ['an unknown type', '{"type":"dance"}', 1003],
    ['binary data', Buffer.from([1, 2]), 1003],
  ])('is answered by an error before the socket closes: %s', async (_, packet, code) => {
    const client = await greeted();
    client.socket.send(packet);
    expect((await client.closed).code).toBe(code);
    expect(client.packets[1]).toMatchObject({ type: 'error', counter: 1, body: { id: 'invalid_request' } });
  });

  test('is not answered a thousand times', async () => {
    const client = await greeted();
    for (let n = 0; n < 1000; n += 1) client.socket.send('{"type":"signal","body":{"type":"wave"}}');
    client.socket.send('{"type":"request","body":{"request_id":"1","method":"Counter.read"}}');
    await until(() => client.packets.at(-1)?.type === 'response', 'the response');
    const errors = client.packets.filter(({ type }) => type === 'error');
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(60);
  });

  test('is not answered on a socket of the original subprotocol', async () => {
    const client = connect(['svc-3.0'], WITH_TOKEN);
    await once(client.socket, 'open');
    client.socket.send('{"type":"signal","body":{"type":"wave"}}');
    client.socket.send(typing(HIDDEN));
    client.socket.send('{"type":"signal","body":{}}');
    client.socket.send('{"type":"request","body":{"request_id":"1","method":"Counter.read"}}');
    expect(await packetsOf(client, 2)).toMatchObject([
      { type: 'response', counter: 0, body: { request_id: null, data: { id: 'invalid_request' } } },
      { type: 'response', counter: 1, body: { request_id: '1' } },
    ]);
  });
});
