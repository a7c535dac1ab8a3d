import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});

const MISSED = 10_000;
const IN_FLIGHT = 100;

test('a replay brings all of 10,000 missed messages, in order within their conversations', async () => {
  const conversations: string[] = [];
  for (let n = 0; n < 5; n++) {
    const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: [bob.uri] } });
    conversations.push(body.id);
  }
  const from_timestamp = new Date(Date.now() - 1000).toISOString();
  let next = 0;
  const sendSome = async (): Promise<void> => {
    while (next < MISSED) {
      const id = conversations[next++ % conversations.length]!;
      const body = { parts: [textPart('missed')] };
      await ada.call('POST', `/conversations/${uuidOf(id)}/messages`, 201, { body });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendSome));

  const socket = await bob.connect();
  const response = await socket.request('Event.replay', { data: { from_timestamp } });
  expect(response).toMatchObject({ success: true, data: { complete: true } });
  const answeredAt = socket.packets.findIndex(({ type }) => type === 'response');
  const positions = new Map<string, number[]>(conversations.map((id) => [id, []]));
  for (const { body } of socket.packets.slice(0, answeredAt)) {
    if (body.operation !== 'create' || body.object.type !== 'Message') continue;
    positions.get(body.data.conversation.id)?.push(body.data.position);
  }
  const all = Array.from({ length: MISSED / conversations.length }, (_, n) => n + 1);
  for (const id of conversations) expect(positions.get(id)).toEqual(all);
  for (const id of conversations) {
    const last = socket.changes('Conversation').findLast(({ object }) => object.id === id);
    const { body } = await bob.call('GET', `/conversations/${uuidOf(id)}`, 200);
    expect(last.data).toEqual([
      { operation: 'set', property: 'last_message', id: body.last_message.id },
      { operation: 'set', property: 'unread_message_count', value: all.length },
    ]);
  }
  await socket.close();
}, 120_000);
