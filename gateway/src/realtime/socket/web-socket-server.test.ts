import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { createWire } from '@parley/domain/wire';
import { until } from '@parley/testing';
import { Connection } from '../connection/connection.ts';
import { frameBody } from '../connection/frame.ts';
import { createWebSocketServer } from './web-socket-server.ts';

type Opened = { client: WebSocket; connection: Connection; received: string[] };

const CALLER = { appId: 'a', userId: 'u', sessionId: 's', expiresAt: 0, tokenHash: new Uint8Array() };

const http = createServer();
const opened: Connection[] = [];
const packets: { of: Connection; text: string }[] = [];

beforeAll(async () => {
  const server = createWebSocketServer({ wire: createWire(), config: { webSocketCompression: true } });
  http.on('upgrade', (request, stream, head) => {
    server.handleUpgrade(request, stream, head, (webSocket) => {
      const connection = new Connection({
        webSocket,
        stream,
        caller: CALLER,
        now: Date.now,
        isExtended: false,
      });
      webSocket.on('message', (data) => packets.push({ of: connection, text: (data as Buffer).toString() }));
      webSocket.on('error', () => undefined);
      opened.push(connection);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const connection of opened) connection.terminate();
  http.close();
});

async function open(perMessageDeflate: boolean): Promise<Opened> {
  const { port } = http.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, 'svc-3.0', { perMessageDeflate });
  const received: string[] = [];
  client.on('message', (data) => received.push((data as Buffer).toString()));
  const count = opened.length;
  await once(client, 'open');
  const connection = opened[count];
  if (!connection) throw new Error('no connection');
  return { client, connection, received };
}

test('one body reaches sockets with and without compression, in order', async () => {
  const sockets = [await open(true), await open(false)];
  expect(sockets.map(({ client }) => client.extensions)).toEqual([
    expect.stringContaining('permessage-deflate'),
    '',
  ]);
  const bodies = Array.from({ length: 40 }, (_, n) => ({
    n,
    text: 'Grüße '.repeat(n % 2 === 0 ? 3_000 : 1),
  }));
  for (const body of bodies) {
    const frame = frameBody(body);
    for (const { connection } of sockets) connection.write('change', frame);
  }
  for (const { received, connection } of sockets) {
    await until(() => (received.length === 40 ? true : undefined), { withinMs: 30_000, what: 'all packets' });
    const got = received.map((text) => JSON.parse(text) as { counter: number; body: unknown });
    expect(got.map(({ counter }) => counter)).toEqual(bodies.map(({ n }) => n));
    expect(got.map(({ body }) => body)).toEqual(bodies);
    expect(connection.isOpen).toBe(true);
  }
});

test('a packet counts by its size after decompression: one of a few kilobytes that holds more is closed with 1009', async () => {
  const { client, connection } = await open(true);
  const bytes = 1024 * 1024;
  client.send('x'.repeat(bytes));
  const fits = () => packets.find(({ of }) => of === connection);
  await until(fits, { withinMs: 30_000, what: 'a packet of the largest size' });
  expect(fits()?.text.length).toBe(bytes);
  client.on('error', () => undefined);
  const closed = once(client, 'close');
  client.send('x'.repeat(64 * bytes));
  expect((await closed)[0]).toBe(1009);
  expect(packets.filter(({ of }) => of === connection)).toHaveLength(1);
});
