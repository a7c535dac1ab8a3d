import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { SessionCaller } from '../auth/index.ts';
import { Connection } from './connection.ts';
import { FrameBody, frameBody } from './frame.ts';

const caller: SessionCaller = {
  ...{ appId: 'app', userId: 'ada', sessionId: 'session' },
  ...{ expiresAt: 0, tokenHash: new Uint8Array(32) },
};
const mebibyte = frameBody({ text: 'x'.repeat(1024 * 1024) });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let server: WebSocketServer;
let client: WebSocket;
let connection: Connection;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[webSocket, request]] = await Promise.all([accepted, once(client, 'open')]);
  const stream = (request as { socket: Duplex }).socket;
  connection = new Connection({
    webSocket: webSocket as WebSocket,
    stream,
    caller,
    now: Date.now,
    isExtended: false,
  });
});

afterEach(() => {
  client.terminate();
  server.close();
});

test('a client that does not read is closed with 1013', async () => {
  client.pause();
  while (connection.isOpen) {
    connection.push('change', mebibyte);
    await turn();
  }
  const closed = once(client, 'close');
  client.resume();
  expect((await closed)[0]).toBe(1013);
});

test('a client is not closed for the time that it takes to read a large packet', async () => {
  const largest = frameBody({ text: 'x'.repeat(6 * 1024 * 1024) });
  client.pause();
  for (const body of [largest, largest, frameBody({ text: 'small' })]) {
    connection.push('change', body);
    await turn();
  }
  expect(connection.buffered).toBeGreaterThan(1024 * 1024);
  expect(connection.isOpen).toBe(true);
  const all = new Promise<void>((resolve) =>
    client.on('message', (data) => {
      if ((JSON.parse(String(data)) as { counter: number }).counter === 2) resolve();
    }),
  );
  client.resume();
  await all;
});

test('a client that reads may be sent more in one tick', async () => {
  const counters: number[] = [];
  const all = new Promise<void>((resolve) =>
    client.on('message', (data) => {
      counters.push((JSON.parse(String(data)) as { counter: number }).counter);
      if (counters.length === 8) resolve();
    }),
  );
  for (let packet = 0; packet < 8; packet += 1) connection.push('change', mebibyte);
  await all;
  expect(counters).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(connection.isOpen).toBe(true);
});

test('a closed connection keeps no packets that are pushed while a replay is being written', async () => {
  const looked: string[] = [];
  class Watched extends FrameBody {
    override get bytes(): Buffer {
      looked.push(this.json);
      return super.bytes;
    }
  }
  await connection.holdWhile(() => {
    connection.push('change', new Watched('"before"'));
    connection.close(1012, 'going away');
    connection.push('change', new Watched('"after"'));
    return Promise.resolve();
  });
  expect(looked).toEqual(['"before"']);
});
