import { problemIn } from '@parley/domain/testing/problems';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import {
  DeletionMode,
  ListConversationsRequest_Sort,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createRoom, getConversation, listAll, send, type Room } from './support/actions.ts';
import { add, remove } from './support/patches.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/protocol/types.md#restrictions-in-the-application

let service: TestMessaging;
let room: Room;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

/** A conversation of Ann and Bob, who is under a shadow restriction. */
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob']);
  await shadow();
});

const policy = () => service.channel.client(PolicyService);
const shadow = () => policy().putUserRestriction({ appId: room.appId, userId: 'bob', kind: 'shadow' });

test('an added user counts beside those whom a shadowed user seems to remove', async () => {
  const { appId, conversationId: id } = room;
  await policy().putType({ appId, type: { name: 'default', rules: { max_participants: 2 } } });
  const operations = [
    { step: { case: 'removeParticipant' as const, value: 'ann' } },
    { step: { case: 'addParticipant' as const, value: 'cem' } },
  ];
  const swapping = () => service.messaging.updateConversation({ appId, id, userId: 'bob', operations });
  expect(await problemIn(swapping())).toBe('invalid_property: participants');
  await policy().deleteUserRestriction({ appId, userId: 'bob' });
  await swapping();
  const { participants } = await getConversation(service, room, 'bob');
  expect(participants.map(({ userId }) => userId).sort()).toEqual(['bob', 'cem']);
});

test('a shadowed message counts among those that its sender and servers list, and not for others', async () => {
  await send(service, room, 'ann');
  const { id } = await send(service, room, 'bob');
  const totals = async () => {
    const listed = ['ann', 'bob', ''].map(async (userId) => (await listAll(service, room, userId)).total);
    const shown = ['ann', 'bob'].map(async (userId) => {
      return (await getConversation(service, room, userId)).userView!.totalMessageCount;
    });
    return { listed: await Promise.all(listed), shown: await Promise.all(shown) };
  };
  expect(await totals()).toEqual({ listed: [1, 2, 2], shown: [1, 2] });
  await service.messaging.deleteMessage({
    appId: room.appId,
    id,
    userId: 'bob',
    mode: DeletionMode.MY_DEVICES,
  });
  expect(await totals()).toEqual({ listed: [1, 1, 2], shown: [1, 1] });
});

test('a shadowed message moves the list of its sender alone, until it is deleted', async () => {
  const { appId } = room;
  const other = await createRoom(service, ['ann', 'bob'], appId);
  const sort = ListConversationsRequest_Sort.LAST_MESSAGE;
  const isFirst = async (userId: string) => {
    const { conversations } = await service.messaging.listConversations({ appId, userId, sort });
    return conversations[0]!.id === room.conversationId;
  };
  const whoseIsFirst = async () => Promise.all(['ann', 'bob'].map(isFirst));
  const deleteForAll = (id: string) =>
    service.messaging.deleteMessage({ appId, id, mode: DeletionMode.ALL_PARTICIPANTS });
  await send(service, other, 'ann');
  expect(await whoseIsFirst()).toEqual([false, false]);
  const hidden = await send(service, room, 'bob');
  expect(await whoseIsFirst()).toEqual([false, true]);
  const shown = await send(service, room, 'ann');
  expect(await whoseIsFirst()).toEqual([true, true]);
  await deleteForAll(shown.id);
  expect(await whoseIsFirst()).toEqual([false, true]);
  await deleteForAll(hidden.id);
  expect(await whoseIsFirst()).toEqual([false, false]);
});

describe('the deletion of a shadowed message', () => {
  /** The users whom the logged event names, and the sender of its message. */
  async function findDeletion() {
    const { events } = await service.changeLog.listConversationEvents({ ...room, firstSeq: 1 });
    return events.flatMap(({ body, onlyUserIds }) =>
      body.case === 'messageDeleted' ? [[onlyUserIds, body.value.message?.sender?.userId]] : [],
    )[0];
  }

  test('by a server is told to its sender, whom the log names', async () => {
    const { id } = await send(service, room, 'bob');
    await service.messaging.deleteMessage({ appId: room.appId, id, mode: DeletionMode.ALL_PARTICIPANTS });
    expect(await findDeletion()).toEqual([['bob'], 'bob']);
  });

  test('by the erasure of its sender is told to nobody, since the user id may be another person’s', async () => {
    await send(service, room, 'bob');
    const identity = { appId: room.appId, userId: 'bob', version: 3, incarnation: 3, deleted: true };
    await service.copies.applyErasure({ identity });
    const told = await until(findDeletion, { withinMs: 20_000, what: 'the deletion' });
    expect(told[0]).toEqual(['']);
  });
});

describe('hiding an own shadowed message', () => {
  const call = (id: string, mode: DeletionMode) =>
    service.messaging.deleteMessage({ appId: room.appId, id, userId: 'bob', mode });
  const hide = (id: string) => call(id, DeletionMode.MY_DEVICES);
  const deleteForAll = (id: string) => call(id, DeletionMode.ALL_PARTICIPANTS);

  test('is replayed to a user who has left', async () => {
    const { id } = await send(service, room, 'bob');
    const { appId, conversationId } = room;
    await service.messaging.updateConversation({ appId, id: conversationId, operations: [remove('bob')] });
    await hide(id);
    const { events } = await service.changeLog.listUserEvents({ appId, userId: 'bob', fromTimestamp: 0 });
    expect(events.map(({ body }) => body.case)).toContain('messageHidden');
  });

  test('leaves nothing to delete for all, as with any message', async () => {
    const { id } = await send(service, room, 'bob');
    await hide(id);
    await hide(id);
    expect(await problemIn(deleteForAll(id))).toBe('not_found');
  });

  test('is repeated by a user who was erased and came back', async () => {
    const { appId, conversationId } = room;
    const identity = { appId, userId: 'bob', version: 3, incarnation: 3, deleted: true };
    await service.copies.applyErasure({ identity });
    await service.copies.applyIdentities({
      appId,
      identities: [{ ...identity, version: 4, deleted: false }],
    });
    await service.messaging.updateConversation({ appId, id: conversationId, operations: [add('bob')] });
    await shadow();
    const { id } = await send(service, room, 'bob', { senderIncarnation: 3 });
    await hide(id);
    await hide(id);
    const { messages } = await listAll(service, room, '');
    expect(messages.map(({ message }) => [message.id, message.shadowed])).toContainEqual([id, true]);
  });
});
