import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createRoom, send, type Room } from '../support/actions.ts';
import { remove } from '../support/patches.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;
beforeAll(async () => void (service = await startMessaging()));
beforeEach(async () => void (room = await createRoom(service, ['ann', 'bob', 'cem'])));
afterAll(() => service?.stop());

async function replay(userId: string): Promise<Event[]> {
  const { appId } = room;
  const request = { appId, userId, fromTimestamp: 0, cursor: '' };
  return (await service.changeLog.listUserEvents(request)).events;
}
async function kindsFor(userId: string) {
  return (await replay(userId)).map(({ body }) => body.case);
}

function hide(userId: string) {
  return service.messaging.deleteConversation({
    appId: room.appId,
    id: room.conversationId,
    userId,
    mode: DeletionMode.MY_DEVICES,
  });
}
function deleteMessage(id: string, userId: string, mode: DeletionMode) {
  return service.messaging.deleteMessage({ appId: room.appId, id, userId, mode });
}
function removeFrom(userId: string) {
  return service.messaging.updateConversation({
    appId: room.appId,
    id: room.conversationId,
    userId: 'ann',
    operations: [remove(userId)],
  });
}

test('replays a conversation that was hidden and brought back, even when the message is gone', async () => {
  await hide('bob');
  const message = await send(service, room, 'ann');
  await deleteMessage(message.id, 'ann', DeletionMode.ALL_PARTICIPANTS);
  await removeFrom('bob');
  expect(await kindsFor('bob')).toEqual([
    'conversationCreated',
    'conversationHidden',
    'conversationCreated',
    'messageDeleted',
    'conversationUpdated',
  ]);
  const { conversations } = await service.messaging.listConversations({ appId: room.appId, userId: 'bob' });
  expect(conversations).toHaveLength(1);
});

test('does not replay a conversation that was brought back and hidden again', async () => {
  const message = await send(service, room, 'ann');
  await hide('bob');
  await deleteMessage(message.id, 'ann', DeletionMode.ALL_PARTICIPANTS);
  expect(await kindsFor('bob')).toEqual(['conversationCreated', 'conversationHidden', 'messageDeleted']);
});

test('replays only the deletion of a deleted conversation', async () => {
  await send(service, room, 'ann');
  const { appId, conversationId: id } = room;
  await service.messaging.deleteConversation({
    appId,
    id,
    userId: 'ann',
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  expect(await kindsFor('bob')).toEqual(['conversationDeleted']);
});

test('replays their removal to a user who was removed before the conversation was deleted', async () => {
  await removeFrom('bob');
  const { appId, conversationId: id } = room;
  await service.messaging.deleteConversation({
    appId,
    id,
    userId: 'ann',
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  expect((await replay('bob')).map(({ body }) => body)).toMatchObject([
    { case: 'conversationUpdated', value: { removedUserIds: ['bob'], added: [], operations: [] } },
  ]);
});

test('replays a conversation as the user sees it now', async () => {
  await send(service, room, 'ann');
  await send(service, room, 'ann');
  const shownTo = async (userId: string) => {
    const [event] = await replay(userId);
    return event?.body.case === 'conversationCreated' ? event.body.value.conversation : undefined;
  };
  expect(await shownTo('bob')).toMatchObject({
    userView: { unreadMessageCount: 2, lastMessage: { position: 2 } },
  });
  expect(await shownTo('ann')).toMatchObject({ userView: { unreadMessageCount: 0 } });
  await removeFrom('cem');
  expect(await shownTo('cem')).toMatchObject({ participants: [], userView: { unreadMessageCount: 0 } });
});

test('replays to a removed user only what they hide themselves', async () => {
  const [one, other] = [await send(service, room, 'ann'), await send(service, room, 'ann')];
  await removeFrom('bob');
  await deleteMessage(one.id, 'bob', DeletionMode.MY_DEVICES);
  await deleteMessage(other.id, 'ann', DeletionMode.ALL_PARTICIPANTS);
  expect(await kindsFor('bob')).toEqual(['conversationCreated', 'conversationUpdated', 'messageHidden']);
});

test('mark all read names the senders of messages that stay unread because they were hidden first', async () => {
  await service.ctx.db.execute({
    text: 'insert into block_version (app_id, blocked_user_id, owner_user_id, version) values ($1, $2, $3, 1)',
    values: [room.appId, 'cem', 'ann'],
  });
  const { appId, conversationId } = room;
  const hidden = await send(service, room, 'bob');
  const read = await send(service, room, 'bob');
  await deleteMessage(hidden.id, 'ann', DeletionMode.MY_DEVICES);
  await service.messaging.markAllRead({ appId, conversationId, userId: 'ann' });
  const newest = (await replay('bob')).at(-1);
  expect(newest?.body).toMatchObject({ case: 'allRead', value: { unreadSenderIds: ['bob', 'cem'] } });
  const { items } = await service.messaging.listMessageIds({
    appId,
    conversationId,
    senderId: 'bob',
    pageSize: 10,
    positions: newest?.body.case === 'allRead' ? newest.body.value.newlyRead : [],
  });
  expect(items.map(({ id }) => id)).toEqual([read.id]);
  await send(service, room, 'ann');
  await send(service, room, 'cem');
  await service.messaging.markAllRead({ appId, conversationId, userId: 'bob' });
  expect((await replay('ann')).at(-1)?.body).toMatchObject({
    case: 'allRead',
    value: { unreadSenderIds: [] },
  });
});

test('mark all delivered names the senders of messages that stay undelivered because they were hidden first', async () => {
  const { appId, conversationId } = room;
  const hidden = await send(service, room, 'bob');
  await send(service, room, 'cem');
  await deleteMessage(hidden.id, 'ann', DeletionMode.MY_DEVICES);
  await service.messaging.markAllDelivered({ appId, conversationId, userId: 'ann' });
  expect((await replay('bob')).at(-1)?.body).toMatchObject({
    case: 'allDelivered',
    value: { position: 2, newlyDelivered: [{ first: 2, last: 2 }], undeliveredSenderIds: ['bob'] },
  });
});
