import { createApp, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'client');
  await Promise.all(['ada', 'grace'].map((name) => app.login(name)));
});

test('what one user writes is shown to the other with its count, and the receipt to the first', async () => {
  const [ada, grace] = [open('ada'), open('grace')];
  const mine = await ada.createConversation({ participants: ['grace'], metadata: { topic: 'Lunch' } });
  const sent = await mine.send('Hello, Grace!');
  expect([sent.state, sent.text]).toEqual(['sending', 'Hello, Grace!']);
  expect((await sent.settled()).position).toBe(1);

  const { items } = await shown(
    grace.conversations(),
    (list) => list.items[0]?.lastMessage !== undefined,
    'the conversation',
  );
  const [theirs] = items;
  expect([theirs?.metadata, theirs?.unreadCount, theirs?.lastMessage?.text]).toEqual([
    { topic: 'Lunch' },
    1,
    'Hello, Grace!',
  ]);
  await theirs?.markRead();
  expect(grace.unread().getSnapshot().messages).toBe(0);

  const messages = ada.messages(mine.id);
  await shown(
    messages,
    (list) => list.items[0]?.recipientStatus['svc:///identities/grace'] === 'read',
    'the receipt',
  );
});

test('when the newest message is deleted, the one before it is shown as the last, though it was not here', async () => {
  const body = { participants: ['ada', 'grace'] };
  const { id } = (await app.server('POST', '/conversations', 201, { body })).body as { id: string };
  const write = async (text: string): Promise<string> => {
    const message = { sender_id: 'grace', parts: [textPart(text)] };
    const sent = await app.server('POST', `/conversations/${uuidOf(id)}/messages`, 201, { body: message });
    return (sent.body as { id: string }).id;
  };
  await write('first');
  const second = await write('second');
  const ada = open('ada');
  const lastOf = (text: string) =>
    shown(ada.conversation(id), (one) => one?.lastMessage?.text === text, `${text} as the last message`);
  await lastOf('second');
  await app.server('DELETE', `/conversations/${uuidOf(id)}/messages/${uuidOf(second)}`, 204);
  await lastOf('first');
});
