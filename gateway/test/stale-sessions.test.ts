import { once } from 'node:events';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { createTestClock } from '@parley/kit/runtime/clock';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { upgrade } from './support/sockets.ts';

const CONVERSATION = 'svc:///conversations/01990000-0000-7000-8000-000000000001';

let gateway: TestGateway;
const clock = createTestClock(Date.now());
/** Revocations that identity lists, and how many acts reached messaging. */
const state = { isDown: false, revoked: [] as string[], acts: 0 };

beforeAll(async () => {
  const messagingTransport = createRouterTransport(({ service }) => {
    service(MessagingService, { deleteConversation: () => (state.acts++, {}) });
  });
  const identityTransport = knownTokens(undefined, {
    listRevocations: ({ cursor }) => {
      if (state.isDown) throw new ConnectError('cut off', Code.Unavailable);
      const revocations = state.revoked.splice(0).map((value) => {
        return { subject: { case: 'sessionId' as const, value } };
      });
      return { cursor: cursor + 1, revocations };
    },
  });
  gateway = await startGateway({ identityTransport, messagingTransport, clock });
});
afterAll(() => gateway.stop());

async function open() {
  const { socket, status } = await upgrade(gateway.baseUrl, SESSION_TOKEN);
  expect(status).toBe(101);
  return socket;
}

type Socket = Awaited<ReturnType<typeof open>>;

function ask(socket: Socket): void {
  const body = {
    request_id: 'r',
    method: 'Conversation.delete',
    object_id: CONVERSATION,
  };
  socket.send(JSON.stringify({ type: 'request', body: { ...body, data: { mode: 'my_devices' } } }));
}

async function answerTo(socket: Socket): Promise<{ success: boolean; data: { id?: string } }> {
  const answered = once(socket, 'message');
  ask(socket);
  const [data] = (await answered) as [Buffer];
  return (JSON.parse(data.toString()) as { body: { success: boolean; data: { id?: string } } }).body;
}

test('a socket acts while revocations are fresh', async () => {
  const socket = await open();
  const before = state.acts;
  expect(await answerTo(socket)).toMatchObject({ success: true });
  expect(state.acts).toBe(before + 1);
  socket.terminate();
});

test('a gateway that stood still learns first whose sessions have ended, and performs nothing for them', async () => {
  const socket = await open();
  const before = state.acts;
  state.isDown = true;
  clock.advance(8_000);
  state.isDown = false;
  state.revoked.push('s1');
  const closed = once(socket, 'close');
  ask(socket);
  const [code] = (await closed) as [number];
  expect([code, state.acts]).toEqual([4401, before]);
});

test('a gateway that is cut off from identity refuses what sockets ask for, and closes them after 30 s', async () => {
  const socket = await open();
  const before = state.acts;
  state.isDown = true;
  clock.advance(2_000);
  expect(await answerTo(socket)).toMatchObject({ success: false, data: { id: 'service_unavailable' } });
  expect(state.acts).toBe(before);
  const closed = once(socket, 'close');
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  await until(async () => (clock.advance(1_000), Promise.resolve(isClosed || undefined)), {
    withinMs: 30_000,
    what: 'the socket is closed',
  });
  expect((await closed)[0]).toBe(1012);
  state.isDown = false;
});
