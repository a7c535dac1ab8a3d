import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createRouterTransport } from '@connectrpc/connect';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { WebSocket } from 'ws';
import { closeCodeOf, frame, rawSocket } from './support/frames.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, OTHER_TOKEN, SESSION_TOKEN } from './support/identity.ts';

// The limits are those of a deployment. A flood is a megabyte a second of one kind of small packets.

const BYTES_A_TICK = 50_000;
const TICK_MS = 50;
/** In which nine of ten pings are answered: a machine may stand still for a moment. */
const WITHIN_MS = 500;
const SHARE = 0.9;

const CONVERSATION = 'svc:///conversations/01990000-0000-7000-8000-000000000001';
const text = (payload: string) => frame({ opcode: 'text', payload });
const signal = (body: string) => text(`{"type":"signal","body":${body}}`);

/** Every kind of frame that is refused, or has no answer, and the code that its flood is closed with. */
const GOING_ON: Record<string, [Buffer, number]> = {
  'requests beyond the rate': [text('{"type":"request","body":{"method":"Counter.read"}}'), 4429],
  'requests of an unknown method': [text('{"type":"request","body":{"method":"x"}}'), 4429],
  'requests of no method': [text('{"type":"request","body":{}}'), 4429],
  'replays beyond their number': [
    text(
      '{"type":"request","body":{"method":"Event.replay","data":{"from_timestamp":"2026-01-01T00:00:00Z"}}}',
    ),
    4429,
  ],
  'invalid envelopes': [text('{"type":"request","body":[]}'), 4429],
  'invalid request ids': [text('{"type":"request","body":{"request_id":[]}}'), 4429],
  'JSON that is too deep': [text('['.repeat(66)), 4429],
  'signals of an unknown type': [signal('{"type":"x"}'), 4429],
  'signals of no type': [signal('{}'), 4429],
  'typing signals': [
    signal(`{"type":"typing_indicator","object":"${CONVERSATION}","data":{"action":"started"}}`),
    4429,
  ],
  'typing signals without an action': [
    signal(`{"type":"typing_indicator","object":"${CONVERSATION}"}`),
    4429,
  ],
  pings: [frame({ opcode: 'ping' }), 4429],
  'pings with data': [frame({ opcode: 'ping', payload: 'x'.repeat(40) }), 4429],
  pongs: [frame({ opcode: 'pong' }), 4429],
  'packets in many fragments': [
    Buffer.concat([
      frame({ opcode: 'text', payload: '{"type":"request",', isLast: false }),
      ...Array.from({ length: 200 }, () => frame({ opcode: 'continuation', isLast: false })),
      frame({ opcode: 'continuation', payload: '"body":{}}' }),
    ]),
    4429,
  ],
};

/** Kinds that end the socket at once; the rest of the flood arrives after that. */
const ENDING: Record<string, [Buffer, number]> = {
  'empty packets': [text(''), 1007],
  'packets that are not JSON': [text('no JSON, and a little longer than that'), 1007],
  'packets of an unknown type': [text('{"type":"other","body":{}}'), 1003],
  'JSON that is no packet': [text('[1,2,3]'), 1003],
  'binary packets': [frame({ opcode: 'binary', payload: '{"type":"request"}' }), 1003],
  'fragments without end': [
    Buffer.concat([
      frame({ opcode: 'text', isLast: false }),
      ...Array.from({ length: 300 }, () => frame({ opcode: 'continuation', isLast: false })),
    ]),
    1008,
  ],
};

let gateway: TestGateway;

beforeAll(async () => {
  const messagingTransport = createRouterTransport(({ service }) => {
    service(MessagingService, { sendTyping: () => ({}) });
  });
  const env = { PARLEY_MAX_SOCKETS_PER_USER: '50' };
  gateway = await startGateway({ env, identityTransport: knownTokens(), messagingTransport });
});
afterAll(() => gateway.stop());

/** Writes a flood until the result is called or the connection ends. */
function flood(socket: Socket, packet: Buffer): () => void {
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(BYTES_A_TICK / packet.length) }, () => packet));
  socket.on('error', () => undefined);
  const timer = setInterval(() => {
    if (!socket.destroyed && socket.writableLength < 20 * BYTES_A_TICK) socket.write(chunk);
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

async function otherSocket(): Promise<WebSocket> {
  const url = `${gateway.baseUrl.replace('http', 'ws')}/websocket?session_token=${OTHER_TOKEN}`;
  const socket = new WebSocket(url, ['svc-3.0']);
  await once(socket, 'open');
  return socket;
}

/** Pings one after the other until `ended`; resolves with the times of all, in order of their length. Milliseconds. */
async function timesOfPings(socket: WebSocket, ended: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const began = performance.now();
    socket.ping();
    await once(socket, 'pong');
    times.push(performance.now() - began);
    // Pings at any rate would be a flood themselves.
    await setTimeout(TICK_MS);
  }
  return times.sort((one, other) => one - other);
}

test('floods of all kinds at once end with a close, and pings of others are answered in time meanwhile', async () => {
  const quiet = await otherSocket();
  const kinds = { ...GOING_ON, ...ENDING };
  const noisy = await Promise.all(Object.values(kinds).map(() => rawSocket(gateway.baseUrl, SESSION_TOKEN)));
  const codes = Promise.all(noisy.map(closeCodeOf));
  const stops = Object.values(kinds).map(([packet], index) => flood(noisy[index]!, packet));
  try {
    const times = await timesOfPings(quiet, codes);
    const names = Object.keys(kinds);
    expect(Object.fromEntries((await codes).map((code, index) => [names[index], code]))).toEqual(
      Object.fromEntries(Object.entries(kinds).map(([name, [, code]]) => [name, code])),
    );
    expect(times[Math.floor(times.length * SHARE)]).toBeLessThan(WITHIN_MS);
  } finally {
    for (const stop of stops) stop();
    quiet.terminate();
  }
});
