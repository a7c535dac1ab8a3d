import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { createRouterTransport } from '@connectrpc/connect';
import {
  BOTH_SUBPROTOCOLS,
  createClients,
  refusedStatus,
  until,
  WITH_TOKEN,
  type Upgrade,
} from './support/extended-sockets.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { ACCESS_TOKEN, BOUND_TOKEN, GHOST_TOKEN, knownTokens } from './support/identity.ts';

/** No rate is reached, so that what is held is what counts. */
const env = { PARLEY_RATE_LIMIT_FACTOR: '1000' };

let gateway: TestGateway;
const connections: Socket[] = [];

beforeAll(async () => {
  const messagingTransport = createRouterTransport(() => undefined);
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport, env });
});
afterAll(() => gateway.stop());
const { connect, greeted, terminateAll } = createClients(() => gateway.baseUrl);
afterEach(() => {
  terminateAll();
  for (const connection of connections.splice(0)) connection.destroy();
});

describe('a refused upgrade', () => {
  test.each<[string, Upgrade, number, string]>([
    ['without a token', {}, 4401, 'authentication_required'],
    [
      'with a token of another kind',
      { query: `?session_token=${ACCESS_TOKEN}` },
      4401,
      'authentication_required',
    ],
    [
      'of a user who has been deleted',
      { query: `?session_token=${GHOST_TOKEN}` },
      4401,
      'authentication_required',
    ],
    [
      'from a page that the application does not allow',
      { query: `?session_token=${BOUND_TOKEN}`, headers: { origin: 'https://eve.test' } },
      4403,
      'access_denied',
    ],
    ['of a path that is none', { ...WITH_TOKEN, path: '/conversations' }, 4400, 'invalid_endpoint'],
  ])('closes with a code and the error: %s', async (_, upgrade, code, reason) => {
    const client = connect(BOTH_SUBPROTOCOLS, upgrade);
    await once(client.socket, 'open');
    expect(client.socket.protocol).toBe('svc-3.1');
    expect(await client.closed).toEqual({ code, reason });
    expect(client.packets).toEqual([]);
    await expectSockets(0);
  });

  test('is no socket of the session, and one beyond the limit of the user says 4429', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => greeted()));
    const refused = await Promise.all(
      Array.from({ length: 30 }, () => connect(BOTH_SUBPROTOCOLS, WITH_TOKEN).closed),
    );
    expect(new Set(refused.map(({ code, reason }) => `${code} ${reason}`))).toEqual(
      new Set(['4429 rate_limit_exceeded']),
    );
    await expectSockets(20);
    held[0]?.socket.close();
    await held[0]?.closed;
    await until(() => greeted(BOTH_SUBPROTOCOLS, WITH_TOKEN).then(() => true), 'a free place');
  });
});

test('while identity is away, a refused upgrade says that it is worth another try', async () => {
  const alone = await startGateway({});
  const clientsOfAlone = createClients(() => alone.baseUrl);
  const refusals = [
    clientsOfAlone.connect(BOTH_SUBPROTOCOLS, WITH_TOKEN).closed,
    refusedStatus(clientsOfAlone.connect(['svc-3.0'], WITH_TOKEN)),
  ];
  expect(await Promise.all(refusals)).toEqual([{ code: 4429, reason: 'service_unavailable' }, 503]);
  clientsOfAlone.terminateAll();
  await alone.stop();
});

async function expectSockets(count: number): Promise<void> {
  await until(
    async () =>
      (await gateway.context.metrics.registry.metrics()).match(/^gateway_sockets\S* (\d+)$/m)?.[1] ===
      String(count),
    `${count} sockets`,
  );
}

describe('clients that do not answer the close', () => {
  const HANDSHAKE =
    'GET /websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  /** Half-open: answers neither the close nor the end of the connection. */
  function refusedSilently(protocols: string): Promise<string> {
    const { port } = new URL(gateway.baseUrl);
    const connection = createConnection({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    connections.push(connection);
    connection.on('error', () => undefined);
    connection.write(`${HANDSHAKE}Sec-WebSocket-Protocol: ${protocols}\r\n\r\n`);
    return once(connection, 'data').then(([data]) => String(data).slice(9, 12));
  }

  /** A connection that the gateway has dropped is reset when its client sends on; these frames are pongs. */
  async function untilDropped(): Promise<void> {
    const dropped = () => {
      for (const each of connections) if (each.writable) each.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      return connections.every(({ closed }) => closed);
    };
    await until(dropped, 'no connection is held');
  }

  test('hold at most 50 connections of an address, and those for moments', async () => {
    const statuses: string[] = [];
    for (let round = 0; round < 20; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => refusedSilently('svc-3.1')))));
    expect(statuses.filter((status) => status === '101').length).toBeLessThanOrEqual(50 * 3);
    expect(statuses).toContain('401');
    await untilDropped();
    expect(await refusedSilently('svc-3.1')).toBe('101');
  });

  test('hold no connection when they are refused by HTTP', async () => {
    await Promise.all(Array.from({ length: 20 }, () => refusedSilently('svc-3.0')));
    await untilDropped();
  });
});
