import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import type { Packet, TestSocket } from '../../support/socket.ts';
import type { Json } from '../../support/json.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
const sockets: TestSocket[] = [];

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('b.o.b')]);
  const body = { participants: [bob.uri] };
  conversation = (await ada.call('POST', '/conversations', 201, { body })).body;
});
afterAll(() => Promise.all(sockets.map((socket) => socket.close())));

async function connect(user: TestUser, subprotocol: 'svc-3.0' | 'svc-3.1' = 'svc-3.0'): Promise<TestSocket> {
  const socket = await user.connect({ subprotocol });
  sockets.push(socket);
  return socket;
}
async function say(user: TestUser, text = 'hello') {
  const body = { parts: [textPart(text)] };
  return (await user.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, { body })).body;
}
function isUpdate(id: string, property: string, value: unknown) {
  return ({ type, body }: Packet) =>
    type === 'change' &&
    body.operation === 'update' &&
    body.object.id === id &&
    body.data.some((step: Json) => step.property === property && step.value === value);
}

test('Conversation.mark_all_delivered is one operation for extended sockets, and a status for each message for the first subprotocol', async () => {
  const [adas, bobs] = [await connect(ada), await connect(bob)];
  const extended = [await connect(ada, 'svc-3.1'), await connect(bob, 'svc-3.1')];
  const messages = [await say(ada), await say(ada)];
  const object_id = conversation.id;
  const answer = await bobs.request('Conversation.mark_all_delivered', { object_id, data: {} });
  expect(answer).toMatchObject({ success: true, data: { position: 2 } });
  for (const socket of extended) {
    const { body } = await socket.waitFor('operation', ({ type }) => type === 'operation');
    expect(body).toMatchObject({
      method: 'Conversation.mark_all_delivered',
      object: { type: 'Conversation', id: object_id },
      data: { position: 2, identity: { id: bob.uri } },
    });
  }
  const property = `recipient_status.${bob.uri.replaceAll('.', '\\.')}`;
  for (const { id } of messages) await adas.waitFor('status', isUpdate(id, property, 'delivered'));
  await say(ada, 'later');
  await bobs.waitFor('three unread', isUpdate(object_id, 'unread_message_count', 3));
  for (const socket of [adas, bobs])
    expect(socket.packets.filter(({ type }) => type === 'operation')).toEqual([]);
  expect(bobs.changes('Message').filter(({ operation }) => operation === 'update')).toEqual([]);
});
