import { createApp, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'client');
  await app.login('grace');
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
