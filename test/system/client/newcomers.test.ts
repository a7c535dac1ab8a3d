import { createApp, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'newcomers');
  await app.login('grace', { display_name: 'Grace Hopper' });
  await app.login('eve');
});

test('users are found where the application opens its directory, as the features say', async () => {
  const closed = open('ada');
  await shown(closed.connection, ({ status }) => status === 'online');
  expect(closed.features.getSnapshot()).toEqual([]);
  await expect(closed.findUsers('gra')).rejects.toMatchObject({
    id: 'access_denied',
    data: { reason: 'user_directory' },
  });
  await app.server('PATCH', '', 202, {
    body: [{ operation: 'set', property: 'user_directory', value: 'everyone' }],
  });
  const client = open('ada');
  await shown(client.features, (names) => names.includes('user_directory'));
  expect(await client.findUsers('hop', { limit: 1 })).toMatchObject([{ user_id: 'grace' }]);
  expect(await client.findUsers('../&q=grace')).toEqual([]);
});

test('participants who are added without the history begin with nothing, until a server shows it', async () => {
  const [ada, eve] = [open('ada'), open('eve')];
  const conversation = await ada.createConversation({ participants: ['grace'] });
  for (const text of ['one', 'two']) await (await conversation.send(text)).settled();
  await conversation.addParticipants(['eve'], { history: 'none' });
  await shown(
    eve.conversation(conversation.id),
    (one) => one !== undefined,
    'the conversation of the newcomer',
  );
  const messages = eve.messages(conversation.id);
  const texts = (): string[] => messages.getSnapshot().items.map(({ text }) => text);
  await (await conversation.send('three')).settled();
  await shown(messages, () => texts().includes('three'), 'the first message');
  expect(texts()).toEqual(['three']);
  const path = conversation.id.replace(/^.*\//, '/conversations/');
  const step = { operation: 'set', property: 'history.eve', value: 'all' };
  await app.server('PATCH', path, 204, { body: [step] });
  await shown(messages, () => texts().length === 3, 'the whole history');
  expect(texts()).toEqual(['one', 'two', 'three']);
});
