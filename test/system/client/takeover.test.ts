import {
  memoryStorage,
  type Coordinator,
  type CoordinatorFactory,
  type CoordinatorHandlers,
} from '@parley/client';
import { createApp, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'takeover');
  await Promise.all(['ada', 'grace'].map((name) => app.login(name)));
});

/** A tab that hears nothing of others, as if they had ended before they could say what they did. */
type DeafTab = { coordinator: CoordinatorFactory; lead(): Promise<void>; wake(): void };

function deafTab(): DeafTab {
  let handlers: CoordinatorHandlers;
  let claim: () => Promise<number>;
  const own: Coordinator = {
    start: (given) => void (handlers = given),
    post: () => undefined,
    ask: (command) => handlers.run(command),
    stop: () => Promise.resolve(),
  };
  return {
    coordinator({ store }) {
      claim = () => store.claim();
      return own;
    },
    lead: async () => handlers.lead(await claim()),
    wake: () => handlers.refresh(),
  };
}

/** Two clients of a user who share a store: the first one leads, the second one has heard of nothing since it was opened. */
async function twoTabs() {
  const storage = memoryStorage();
  const [one, other] = [deafTab(), deafTab()];
  const leader = open('ada', { storage, coordinator: one.coordinator });
  await leader.ready;
  await one.lead();
  await shown(leader.connection, ({ status }) => status === 'online', 'the leader is online');
  const follower = open('ada', { storage, coordinator: other.coordinator });
  await follower.ready;
  return { leader, follower, other };
}

/** Coordinators of two tabs, of which the first one leads. */
function heardTabs(): [CoordinatorFactory, CoordinatorFactory] {
  const tabs: CoordinatorHandlers[] = [];
  const factory =
    (own: number): CoordinatorFactory =>
    ({ store }) => ({
      start(handlers) {
        tabs[own] = handlers;
        if (own === 0) void store.claim().then((epoch) => handlers.lead(epoch));
      },
      post: (message) => tabs[1 - own]?.receive(structuredClone(message)),
      ask: (command) => tabs[0]!.run(command),
      stop: () => Promise.resolve(),
    });
  return [factory(0), factory(1)];
}

test('a tab connects and disconnects all tabs, also one that is opened later', async () => {
  const storage = memoryStorage();
  const [first, second] = heardTabs();
  const leader = open('ada', { storage, coordinator: first });
  await shown(leader.connection, ({ status }) => status === 'online', 'the leader is online');
  const follower = open('ada', { storage, coordinator: second });
  await shown(follower.connection, ({ status }) => status === 'online', 'the follower knows');
  follower.disconnect();
  for (const { connection } of [leader, follower])
    await shown(connection, ({ status }) => status === 'offline', 'no tab has a connection');
  const conversation = await leader.createConversation({ participants: ['grace'] });
  await expect(leader.request('GET', '/conversations')).rejects.toMatchObject({ id: 'network_error' });
  await follower.destroy();
  const later = open('ada', { storage, coordinator: second });
  await shown(later.connection, ({ status }) => status === 'offline', 'a later tab knows');
  expect(conversation.state).toBe('sending');
  later.connect();
  await shown(leader.connection, ({ status }) => status === 'online', 'the leader is online again');
  await shown(leader.conversation(conversation.id), (now) => now?.state === 'sent', 'it is created');
});

test('a tab that takes over sends what another one kept and could not say', async () => {
  const { leader, follower, other } = await twoTabs();
  const conversation = await leader.createConversation({ participants: ['grace'] });
  await (await conversation.send('Stored')).settled();
  leader.disconnect();
  await conversation.send('Kept');
  await leader.destroy();
  await other.lead();
  const { items } = await shown(
    follower.messages(conversation.id),
    (list) => list.items.length === 2 && list.items.every(({ state }) => state === 'sent'),
    'both messages are sent',
  );
  expect(items.map(({ text, position }) => [text, position])).toEqual([
    ['Stored', 1],
    ['Kept', 2],
  ]);
});

test('a tab that wakes shows what it missed while it was asleep', async () => {
  const { leader, follower, other } = await twoTabs();
  const conversation = await leader.createConversation({ participants: ['grace'] });
  await (await conversation.send('Missed')).settled();
  const before = follower.conversations().getSnapshot().items;
  expect(before.find(({ id }) => id === conversation.id)).toBeUndefined();
  other.wake();
  await shown(
    follower.conversation(conversation.id),
    (one) => one?.lastMessage?.text === 'Missed',
    'the message that was missed',
  );
});
