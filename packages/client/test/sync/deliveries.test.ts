import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../../test/support/until.ts';
import type { ClientOptions } from '../../src/index.ts';
import type { Change, Message } from '../../src/records/records.ts';
import { CONVERSATION, conversationCreated, ME, messageAt, messageCreated } from './records.ts';
import { scriptedPlatform, type ScriptedPlatform, type ScriptedSocket } from './scripted-platform.ts';

let platform: ScriptedPlatform;
afterEach(() => platform.client.destroy());

/** A client that is online in a conversation of so many participants. */
async function online(options: Partial<ClientOptions> = {}, more = 0): Promise<ScriptedSocket> {
  platform = scriptedPlatform(options);
  const { client, sockets, lists } = platform;
  const socket = await until('the socket', () => sockets[0]);
  socket.sayHello();
  (await until('the list', () => lists[0])).resolve();
  await until('online', () => client.connection.getSnapshot().status === 'online' || undefined);
  const created = conversationCreated() as Extract<Change, { operation: 'create' }>;
  const people = Array.from({ length: more }, (_, index) => person(`more-${index}`));
  const { participants } = created.data as { participants: object[] };
  hand(socket, {
    ...created,
    data: { ...created.data, participants: [...participants, ...people] } as never,
  });
  return socket;
}

function person(user_id: string) {
  return { id: `svc:///identities/${user_id}`, url: '', user_id, display_name: null, avatar_url: null };
}

function hand(socket: ScriptedSocket, change: Change): void {
  socket.hand('change', change);
}

function write(socket: ScriptedSocket, position: number, more: Partial<Message> = {}): void {
  hand(socket, messageCreated(messageAt(position, more)));
}

const deliveries = ({ requests }: ScriptedSocket) =>
  requests.flatMap(({ method, object_id, data }) =>
    method === 'Conversation.mark_all_delivered' ? [{ object_id, data }] : [],
  );

/** Longer than until the first delivery, shorter than until the second one. */
const SOON_MS = 700;
/** Longer than from one delivery to the next. */
const REST_MS = 2_600;

test('of several messages at once the last one is delivered, and the next ones together two seconds later', async () => {
  const socket = await online();
  for (const position of [1, 2, 3]) write(socket, position);
  await until('a delivery', () => deliveries(socket)[0]);
  socket.answer({ position: 3 });
  for (const position of [4, 5]) write(socket, position);
  await pause(SOON_MS);
  expect(deliveries(socket)).toEqual([{ object_id: CONVERSATION, data: { position: 3 } }]);
  await until('the next one', () => deliveries(socket)[1]);
  socket.answer({ position: 5 });
  expect(deliveries(socket)[1]).toEqual({ object_id: CONVERSATION, data: { position: 5 } });
  const last = platform.client.conversation(CONVERSATION);
  await until('it is shown', () => last.getSnapshot()?.lastMessage?.recipientStatus[ME] === 'delivered');
});

test.each<[what: string, options: Partial<ClientOptions>, more: number]>([
  ['in a conversation of more than 50', {}, 49],
  ['when the application switched it off', { deliveryReceipts: false }, 0],
  ['above the number that the application named', { deliveryReceipts: { maxParticipants: 2 } }, 1],
])('no delivery is given %s', async (_, options, more) => {
  const socket = await online(options, more);
  write(socket, 1);
  await pause(SOON_MS);
  expect(deliveries(socket)).toEqual([]);
});

test('a message that is the user’s own, delivered or about to be read has no delivery', async () => {
  const socket = await online();
  write(socket, 1, { sender: person('ada'), recipient_status: { [ME]: 'read' } });
  write(socket, 2, { recipient_status: { [ME]: 'delivered' } });
  write(socket, 3);
  const shown = platform.client.conversation(CONVERSATION);
  const conversation = await until('the message', () =>
    shown.getSnapshot()?.lastMessage?.position === 3 ? shown.getSnapshot() : undefined,
  );
  await conversation.markRead();
  await pause(SOON_MS);
  expect(deliveries(socket)).toEqual([]);
});

test('a delivery that was lost is given again on the next connection', async () => {
  const socket = await online();
  write(socket, 1);
  await until('a delivery', () => deliveries(socket)[0]);
  socket.end(1006);
  const next = await until('another socket', () => platform.sockets[1]);
  next.sayHello();
  await until('the replay', () => next.requests[0]);
  next.answer({ complete: true });
  expect(await until('the delivery', () => deliveries(next)[0])).toMatchObject({ data: { position: 1 } });
});

test('a delivery that is refused for good is not given again', async () => {
  const socket = await online();
  write(socket, 1);
  await until('a delivery', () => deliveries(socket)[0]);
  socket.refuse('not_found');
  await pause(REST_MS);
  expect(deliveries(socket)).toHaveLength(1);
});

test('a delivery that is refused for the moment is given again', async () => {
  const socket = await online();
  write(socket, 1);
  await until('a delivery', () => deliveries(socket)[0]);
  socket.refuse('service_unavailable');
  expect(await until('the delivery again', () => deliveries(socket)[1])).toEqual(deliveries(socket)[0]);
});
