import { once } from 'node:events';
import { WebSocket } from 'ws';
import { closeCodeOf, frame, rawSocket } from './support/frames.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, OTHER_TOKEN, SESSION_TOKEN } from './support/identity.ts';

// A session has two requests, and a user three refusals; then reading pauses.

const GRANTED = 2;
const REFUSED = 3;
const PACKETS = 8;

let gateway: TestGateway;

beforeAll(async () => {
  const env = {
    PARLEY_RATE_LIMIT_SESSION: '1',
    PARLEY_RATE_LIMIT_SESSION_BURST: String(GRANTED),
    PARLEY_RATE_LIMIT_REFUSAL: '1',
    PARLEY_RATE_LIMIT_REFUSAL_BURST: String(REFUSED),
  };
  gateway = await startGateway({ env, identityTransport: knownTokens() });
});
afterAll(() => gateway.stop());

async function open(token: string): Promise<WebSocket> {
  const url = `${gateway.baseUrl.replace('http', 'ws')}/websocket?session_token=${token}`;
  const socket = new WebSocket(url, ['svc-3.0']);
  await once(socket, 'open');
  return socket;
}

const request = (id: number) =>
  JSON.stringify({ type: 'request', body: { request_id: id, method: 'Counter.read' } });

type Answer = { request_id: unknown; method: unknown; success: boolean; data: object };

test('packets beyond the rate are all answered, and a ping that comes with them as well', async () => {
  const socket = await open(SESSION_TOKEN);
  const answers: Answer[] = [];
  socket.on('message', (data) =>
    answers.push((JSON.parse((data as Buffer).toString()) as { body: Answer }).body),
  );
  for (let id = 1; id <= PACKETS; id += 1) socket.send(request(id));
  socket.ping('behind');
  expect((await once(socket, 'pong')).map(String)).toEqual(['behind']);
  while (answers.length < PACKETS) await once(socket, 'message');
  const ids = Array.from({ length: PACKETS }, (_, index) => index + 1);
  expect(answers.map(({ request_id: id }) => Number(id)).sort()).toEqual(ids);
  expect(answers.filter(({ success }) => success).map(({ request_id: id }) => id)).toContain(1);
  const third = answers.find(({ request_id: id }) => id === GRANTED + 1);
  expect(third).toEqual({
    request_id: GRANTED + 1,
    method: 'Counter.read',
    success: false,
    data: {
      id: 'rate_limit_exceeded',
      code: 7,
      message: 'Too many requests.',
      url: `${gateway.baseUrl}/docs/errors#rate_limit_exceeded`,
      data: { policy: 'session', retry_after_seconds: 1 },
    },
  });
  socket.terminate();
});

test('a socket that is not read for a while notices the close of its client', async () => {
  const socket = await open(OTHER_TOKEN);
  for (let id = 1; id <= PACKETS; id += 1) socket.send(request(id));
  const closed = once(socket, 'close');
  socket.close(1000);
  const [code] = (await closed) as [number];
  expect(code).toBe(1000);
});

test('pings that come together have one answer, to the last of them', async () => {
  const socket = await rawSocket(gateway.baseUrl, OTHER_TOKEN);
  const answered = once(socket, 'data');
  socket.write(Buffer.concat(['a', 'b', 'c'].map((payload) => frame({ opcode: 'ping', payload }))));
  const [bytes] = (await answered) as [Buffer];
  expect(bytes.toString('latin1')).toBe('\x8a\x01c');
  socket.destroy();
});

test('a client that goes on gets 4429, and reads it although its own packets are read no more', async () => {
  const socket = await rawSocket(gateway.baseUrl, SESSION_TOKEN);
  const packets = Array.from({ length: 200 }, (_, id) => frame({ opcode: 'text', payload: request(id) }));
  socket.on('error', () => undefined);
  socket.write(Buffer.concat(packets));
  expect(await closeCodeOf(socket)).toBe(4429);
});
