import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { until } from '@parley/testing';
import { WebSocket, WebSocketServer } from 'ws';
import { createLargePacketQueue } from './large-packet-queue.ts';

const LARGE = 'x'.repeat(100_000);
const received: { by: string; text: string }[] = [];
const rounds = { passed: 0 };
const of: number[] = [];
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });

server.on('connection', (webSocket, { url }) => {
  const by = url ?? '';
  createLargePacketQueue({
    webSocket,
    caller: { appId: 'app', userId: by },
    isOpen: () => true,
    receive(data) {
      const text = (data as Buffer).toString();
      received.push({ by, text: text.slice(0, 8) });
      if (text.length > 10) of.push(rounds.passed);
    },
    failed: (error) => received.push({ by, text: String(error) }),
  });
});
beforeAll(() => once(server, 'listening'));
afterAll(() => {
  for (const client of server.clients) client.terminate();
  server.close();
});

async function open(name: string): Promise<WebSocket> {
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/${name}`);
  await once(client, 'open');
  return client;
}

test('packets keep their order, and two large ones of any sockets are not received in one round of the event loop', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const clients = await Promise.all(names.map(open));
  const count = (): void => {
    rounds.passed += 1;
    if (received.length < 48) setImmediate(count);
  };
  setImmediate(count);
  for (let n = 0; n < 4; n += 1) {
    for (const client of clients) {
      client.send(`${n}-first `);
      client.send(`${n}-large ${LARGE}`);
      client.send(`${n}-last  `);
    }
  }
  await until(() => (received.length === 48 ? true : undefined), { withinMs: 30_000, what: 'all packets' });
  const expected = [0, 1, 2, 3].flatMap((n) => [`${n}-first `, `${n}-large `, `${n}-last  `]);
  for (const name of names)
    expect(received.filter(({ by }) => by === `/${name}`).map(({ text }) => text)).toEqual(expected);
  expect(new Set(of).size).toBe(16);
});
