import { until } from '../../../../test/support/until.ts';
import { CONVERSATION, conversationCreated, messageAt, messageCreated } from './records.ts';
import { scriptedPlatform, type ScriptedPlatform, type ScriptedSocket } from './scripted-platform.ts';

let platform: ScriptedPlatform;
let socket: ScriptedSocket;
let arrived: (number | undefined)[];

beforeEach(async () => {
  platform = scriptedPlatform({ deliveryReceipts: false });
  arrived = [];
  platform.client.on('message', ({ position }) => arrived.push(position));
  socket = await until('the socket', () => platform.sockets[0]);
  socket.sayHello();
  (await until('the list', () => platform.lists[0])).resolve();
  const { connection } = platform.client;
  await until('online', () => connection.getSnapshot().status === 'online' || undefined);
});
afterEach(() => platform.client.destroy());

const hand = (...changes: object[]) => changes.forEach((change) => socket.hand('change', change));

/** Resolves when the newest message has this position. */
const untilNewest = (position: number) =>
  until(
    `message ${position}`,
    () =>
      platform.client.conversation(CONVERSATION).getSnapshot()?.lastMessage?.position === position ||
      undefined,
  );

test('each message of another user is told once, also when a replay repeats the conversation with its newest one', async () => {
  hand(conversationCreated(), messageCreated(messageAt(1)));
  const [two, three] = [messageAt(2), messageAt(3)];
  hand(
    conversationCreated(three, 3),
    messageCreated(messageAt(1)),
    messageCreated(two),
    messageCreated(three),
  );
  await untilNewest(3);
  hand(messageCreated(two), messageCreated(messageAt(4)));
  await untilNewest(4);
  expect(arrived).toEqual([1, 2, 3, 4]);
});

test('neither one’s own messages are told, nor those that were read', async () => {
  const sender = {
    id: 'svc:///identities/ada',
    url: '',
    user_id: 'ada',
    display_name: null,
    avatar_url: null,
  };
  hand(conversationCreated(), messageCreated(messageAt(1, { sender, is_unread: false })));
  hand(messageCreated(messageAt(2, { is_unread: false })), messageCreated(messageAt(3)));
  await untilNewest(3);
  expect(arrived).toEqual([3]);
});

test('a conversation that comes back to the list tells of the message that brought it', async () => {
  hand(conversationCreated(messageAt(7), 1), messageCreated(messageAt(7)));
  await untilNewest(7);
  expect(arrived).toEqual([7]);
});
