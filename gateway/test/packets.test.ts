import { once } from 'node:events';
import { createRouterTransport } from '@connectrpc/connect';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { WebSocket } from 'ws';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';

type Body = {
  request_id: unknown;
  success: boolean;
  data: { id?: string; code?: number; property?: string };
};

const CONVERSATION = 'svc:///conversations/01990000-0000-7000-8000-000000000001';
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

let gateway: TestGateway;
let socket: WebSocket;

beforeAll(async () => {
  const messagingTransport = createRouterTransport(({ service }) => {
    service(MessagingService, { deleteConversation: () => ({}), sendTyping: () => ({}) });
  });
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  socket = await open();
});
afterEach(() => {
  socket.terminate();
});

async function open(): Promise<WebSocket> {
  const url = `${gateway.baseUrl.replace('http', 'ws')}/websocket?session_token=${SESSION_TOKEN}`;
  const opened = new WebSocket(url, ['svc-3.0']);
  await once(opened, 'open');
  return opened;
}

async function answerTo(packet: string): Promise<Body> {
  const answered = once(socket, 'message');
  socket.send(packet);
  const [data] = (await answered) as [Buffer];
  return (JSON.parse(data.toString()) as { body: Body }).body;
}

const request = (fields: string) => `{"type":"request","body":{${fields}}}`;
const typing = (data: string) =>
  `{"type":"signal","body":{"type":"typing_indicator","object":{"id":"${CONVERSATION}"},"data":${data}}}`;

test.each([
  ['an action that is an object', typing('{"action":{"toString":1}}')],
  ['an unknown action', typing('{"action":"constructor"}')],
  ['data that is null', typing('null')],
  ['a request id of 20,000 levels', request(`"request_id":${DEEP},"method":"Counter.read"`)],
  ['a request id that is an object', request('"request_id":{"toJSON":1},"method":"Counter.read"')],
  ['a request id that is too long', request(`"request_id":"${'x'.repeat(129)}","method":"Counter.read"`)],
  ['data of 20,000 levels', request(`"request_id":"1","method":"Counter.read","data":${DEEP}`)],
  ['a body that is an array', '{"type":"request","body":[]}'],
  ['no body', '{"type":"signal"}'],
])('%s is answered with invalid_request, and the socket stays open', async (_, packet) => {
  expect(await answerTo(packet)).toMatchObject({
    ...{ request_id: null, success: false },
    data: { id: 'invalid_request', code: 10 },
  });
  expect(await answerTo(request('"request_id":7,"method":"Counter.read"'))).toEqual({
    ...{ request_id: 7, method: 'Counter.read', success: true },
    data: { counter: 0 },
  });
});

test('an unknown method is answered with those that are known', async () => {
  const { data } = await answerTo(request('"request_id":1,"method":"Message.edit"'));
  expect(data).toMatchObject({ id: 'invalid_request', data: { property: 'method' } });
  expect((data as { data: { accepted: string[] } }).data.accepted).toContain('Message.create');
});

test('an unknown action of a signal is answered with those that are known', async () => {
  const signal = `{"type":"typing_indicator","object":{"id":"${CONVERSATION}"},"data":{"action":"stopped"}}`;
  expect((await answerTo(`{"type":"signal","body":${signal}}`)).data).toMatchObject({
    id: 'invalid_request',
    data: { property: 'data.action', accepted: ['started', 'paused', 'finished'] },
  });
});

test.each([['mode'], ['leave']])('a %s of a wrong type is invalid', async (name) => {
  for (const value of ['{"toString":1}', '[]', '1', '"other"']) {
    const body = `"request_id":1,"method":"Conversation.delete","object_id":"${CONVERSATION}","data":{"${name}":${value}}`;
    expect((await answerTo(request(body))).data).toMatchObject({
      id: 'invalid_property',
      data: { property: name },
    });
  }
});

test('leave may be a boolean, and the mode of the prototype is none', async () => {
  for (const data of ['{"leave":true}', '{"leave":"true"}', '[]', 'null']) {
    expect(await answerTo(deletionWith(data))).toMatchObject({ success: true });
  }
});

test.each(['"text"', '1', '[1]', 'true'])('data that is %s instead of an object is refused', async (data) => {
  expect(await answerTo(deletionWith(data))).toMatchObject({
    success: false,
    data: { id: 'invalid_request' },
  });
});

function deletionWith(data: string) {
  return request(
    `"request_id":1,"method":"Conversation.delete","object_id":"${CONVERSATION}","data":${data}`,
  );
}

/** Makes every read of a member of the gateway's context throw; call the result to restore it. */
function breakContext(name: 'limits' | 'errorDocs'): () => void {
  const { context } = gateway;
  const descriptor = Object.getOwnPropertyDescriptor(context, name) ?? {};
  const get = () => {
    throw new Error('broken');
  };
  Object.defineProperty(context, name, { get, configurable: true });
  return () => void Object.defineProperty(context, name, descriptor);
}

test.each([
  ['a signal', 'limits', typing('{"action":"started"}')],
  ['a request', 'errorDocs', request('"method":"Nothing.known"')],
] as const)('an internal error in %s closes that socket alone', async (_, name, packet) => {
  const other = await open();
  const mend = breakContext(name);
  const closed = once(socket, 'close');
  socket.send(packet);
  expect((await closed)[0]).toBe(1011);
  mend();
  expect(other.readyState).toBe(WebSocket.OPEN);
  other.terminate();
});
