import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer, type Server } from 'ws';
import { until } from '@parley/testing';
import type { SessionCaller } from '../../admission/auth/index.ts';
import { Connection } from './connection.ts';
import { FrameBody, frameBody } from './frame.ts';
import { WritableWebSocket } from './writer.ts';

const caller: SessionCaller = {
  ...{ appId: 'app', userId: 'ada', sessionId: 'session' },
  ...{ expiresAt: 0, tokenHash: new Uint8Array(32) },
};
const mebibyte = frameBody({ text: 'x'.repeat(1024 * 1024) });
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first }, (_, index) => first + index);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let server: Server<typeof WritableWebSocket>;
let webSocket: WritableWebSocket;
let stream: Duplex;
let client: WebSocket;
let connection: Connection;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', WebSocket: WritableWebSocket });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[opened, request]] = await Promise.all([accepted, once(client, 'open')]);
  webSocket = opened as WritableWebSocket;
  stream = (request as { socket: Duplex }).socket;
  connection = new Connection({ webSocket, stream, caller, now: Date.now, isExtended: false });
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
    override get bytes(): string {
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

test('packets of all lengths and letters arrive as they were written', async () => {
  // The packet is about 80 bytes longer: its frame has each of the three headers.
  const lengths = [...range(0, 60), ...range(65_440, 65_465), 70_000];
  const long = lengths.flatMap((length) => ['x'.repeat(length), `${'x'.repeat(length)}ß`]);
  const texts = [...long, ...range(0, 60).map((length) => 'é漢😀'.repeat(length))];
  const received: unknown[] = [];
  const all = new Promise<void>((resolve) =>
    client.on('message', (data) => {
      received.push((JSON.parse(String(data)) as { body: unknown }).body);
      if (received.length === texts.length) resolve();
    }),
  );
  for (const text of texts) connection.push('change', frameBody(text));
  await all;
  expect(received).toEqual(texts);
});

test('the packets of a tick are written at once', async () => {
  const sizes: number[] = [];
  const write = stream.write.bind(stream);
  Object.assign(stream, {
    write(frames: string, encoding: BufferEncoding) {
      sizes.push(frames.length);
      return write(frames, encoding);
    },
  });
  const received: unknown[] = [];
  client.on('message', (data) => received.push(data));
  for (let packet = 0; packet < 5; packet += 1) connection.push('change', frameBody({ packet }));
  await until(() => received.length === 5 || undefined, { withinMs: 30_000, what: 'all packets' });
  expect(sizes).toHaveLength(1);
});

test('packets of the tick in which a closing frame is sent precede it', async () => {
  const received: string[] = [];
  client.on('message', (data) => received.push((data as Buffer).toString()));
  const closed = once(client, 'close');
  connection.push('change', frameBody('last'));
  connection.close(1012, 'going away');
  expect((await closed)[0]).toBe(1012);
  expect(received.map((text) => (JSON.parse(text) as { body: unknown }).body)).toEqual(['last']);
});

test('the answer to a packet that comes together with a closing frame is sent', async () => {
  const received: string[] = [];
  client.on('message', (data) => received.push((data as Buffer).toString()));
  webSocket.on('message', () => connection.write('response', frameBody('answer')));
  const closed = once(client, 'close');
  const sent = Reflect.get(client, '_socket') as Duplex;
  sent.cork();
  client.send('request');
  client.close(1000);
  sent.uncork();
  await closed;
  expect(received.map((text) => (JSON.parse(text) as { body: unknown }).body)).toEqual(['answer']);
});

describe('at the end of the session’s time', () => {
  let now: number;

  beforeEach(() => {
    now = 999;
    const own = { ...caller, expiresAt: 1_000 };
    connection = new Connection({ webSocket, stream, caller: own, now: () => now, isExtended: false });
  });

  test('nothing is sent any more, and the socket closes with 4401', async () => {
    const received: string[] = [];
    client.on('message', (data: Buffer) => received.push(data.toString()));
    const closed = once(client, 'close');
    connection.push('change', frameBody('before'));
    now = 1_000;
    connection.push('change', frameBody('after'));
    expect(connection.isOpen).toBe(false);
    expect((await closed)[0]).toBe(4401);
    expect(received.map((text) => (JSON.parse(text) as { body: string }).body)).toEqual(['before']);
  });

  test('what was held while a replay was written is not sent either', async () => {
    const received: unknown[] = [];
    client.on('message', (data) => received.push(data));
    const closed = once(client, 'close');
    await connection.holdWhile(async () => {
      connection.push('change', frameBody('held'));
      now = 1_000;
      await turn();
    });
    expect((await closed)[0]).toBe(4401);
    expect(received).toEqual([]);
  });

  test('a packet of the client ends it', () => {
    expect(connection.endIfOver()).toBe(false);
    now = 1_000;
    expect([connection.endIfOver(), connection.isOpen]).toEqual([true, false]);
  });
});
