import { randomUUID } from 'node:crypto';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import {
  createRoom,
  getConversation,
  listAll,
  receipt,
  send,
  unreadCount,
  type Room,
} from '../support/actions.ts';
import { add, remove, setMetadata, type Operation } from '../support/patches.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
beforeAll(async () => void (service = await startMessaging()));
afterAll(() => service?.stop());

async function patch({ appId, conversationId: id }: Room, ...operations: Operation[]): Promise<void> {
  await service.messaging.updateConversation({ appId, id, operations });
}

const totals = ({ appId }: Room, userId: string) => service.messaging.getUnreadTotals({ appId, userId });

/** Ways to take part no more. */
const LEAVINGS: [string, (room: Room) => Promise<unknown>][] = [
  ['is removed', (room) => patch(room, remove('bob'))],
  [
    'leaves',
    ({ appId, conversationId: id }) =>
      service.messaging.updateConversation({ appId, id, userId: 'bob', operations: [remove('bob')] }),
  ],
];

describe.each(LEAVINGS)('a user who %s', (_, leave) => {
  let room: Room;
  let unread: string[];
  beforeEach(async () => {
    room = await createRoom(service, ['ann', 'bob', 'cat']);
    const read = await send(service, room, 'ann');
    unread = [(await send(service, room, 'ann')).id, (await send(service, room, 'cat')).id];
    await receipt(service, { ...room, userId: 'bob', messageId: read.id });
    await leave(room);
  });

  test('has no unread messages while they are out, whoever counts', async () => {
    await send(service, room, 'ann');
    expect(await unreadCount(service, room, 'bob')).toBe(0);
    expect(await totals(room, 'bob')).toMatchObject({ unreadConversationCount: 0, unreadMessageCount: 0 });
    const { userView } = await getConversation(service, room, 'bob');
    expect(userView).toMatchObject({ unreadMessageCount: 0, totalMessageCount: 3 });
    expect(userView?.lastMessage?.isUnread).toBe(false);
    const listed = (await listAll(service, room, 'bob')).messages.map(({ message }) => message.isUnread);
    expect(listed).toEqual([false, false, false]);
    const { message } = await service.messaging.getMessage({ ...room, userId: 'bob', id: unread[0]! });
    expect(message?.isUnread).toBe(false);
    const item = { userId: 'bob', conversationId: room.conversationId, messageId: unread[0]! };
    const { results } = await service.notifications.checkPushes({ appId: room.appId, items: [item] });
    expect(results).toMatchObject([{ isWanted: false, unreadMessageCount: 0 }]);
  });

  test('has the unread messages of before again when they come back, and can read them', async () => {
    await send(service, room, 'ann');
    await patch(room, add('bob'));
    expect(await unreadCount(service, room, 'bob')).toBe(2);
    expect(await totals(room, 'bob')).toMatchObject({ unreadConversationCount: 1, unreadMessageCount: 2 });
    for (const messageId of unread)
      expect(await receipt(service, { ...room, userId: 'bob', messageId })).toBe('recorded');
    expect(await unreadCount(service, room, 'bob')).toBe(0);
  });

  test('hides what was unread for them without a change of the count, and finds it hidden when they come back', async () => {
    const { appId } = room;
    const mode = DeletionMode.MY_DEVICES;
    await service.messaging.deleteMessage({ appId, id: unread[0]!, userId: 'bob', mode });
    expect(await unreadCount(service, room, 'bob')).toBe(0);
    await patch(room, add('bob'));
    expect(await unreadCount(service, room, 'bob')).toBe(1);
  });

  test('sees the metadata of when they left, and the present ones after they come back', async () => {
    const seen = async () => (await getConversation(service, room, 'bob')).metadata;
    const listed = async () => {
      const { conversations } = await service.messaging.listConversations({
        appId: room.appId,
        userId: 'bob',
      });
      return conversations.map(({ metadata }) => metadata);
    };
    await patch(room, setMetadata(['topic'], 'later'));
    expect([await seen(), await listed()]).toEqual([{}, [{}]]);
    expect((await getConversation(service, room, 'ann')).metadata).toEqual({ topic: 'later' });
    expect((await getConversation(service, room, '')).metadata).toEqual({ topic: 'later' });
    await patch(room, add('bob'));
    expect([await seen(), await listed()]).toEqual([{ topic: 'later' }, [{ topic: 'later' }]]);
    await leave(room);
    await patch(room, setMetadata(['topic'], 'last'));
    expect(await seen()).toEqual({ topic: 'later' });
  });
});

test('a patch that removes a user and changes the metadata shows them the metadata of before, as it does live', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await patch(room, setMetadata(['topic'], 'before'));
  await patch(room, setMetadata(['topic'], 'after'), remove('bob'));
  expect((await getConversation(service, room, 'bob')).metadata).toEqual({ topic: 'before' });
});

test('a membership that a process of the release before ended shows the present metadata', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await patch(room, setMetadata(['topic'], 'before'));
  await patch(room, remove('bob'));
  // That release neither removes what was kept nor keeps anything.
  await service.ctx.db.execute({
    text: 'update participant set left_seq = left_seq + 1 where app_id = $1 and left_seq is not null',
    values: [room.appId],
  });
  await patch(room, setMetadata(['topic'], 'after'));
  expect((await getConversation(service, room, 'bob')).metadata).toEqual({ topic: 'after' });
});

test('a conversation whose id a former participant asks for again is shown as they left it', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  await patch(room, remove('bob'));
  await patch(room, setMetadata(['topic'], 'after'));
  const { conversation } = await service.messaging.createConversation({
    appId,
    id,
    userId: 'bob',
    participantIds: ['bob'],
    requestId: randomUUID(),
  });
  expect(conversation).toMatchObject({ id, participants: [], metadata: {} });
});
