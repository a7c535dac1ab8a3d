import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { problemIn } from '@parley/domain/testing/problems';
import { MessageSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { EditPartsRequestSchema } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { RestoreMessagesRequestSchema } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { restoreMessages } from '../../src/rpc/restore-messages.ts';
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

describe('what a former participant reads of messages', () => {
  let room: Room;
  let message: Message;
  beforeEach(async () => {
    room = await createRoom(service, ['ann', 'bob', 'cat']);
    message = await send(service, room, 'ann', { parts: [part('first')] });
  });

  function part(body: string) {
    return { id: randomUUID(), mimeType: 'text/plain', body };
  }
  const edit = (request: MessageInitShape<typeof EditPartsRequestSchema>['edit']) =>
    service.parts.editParts({ appId: room.appId, messageId: message.id, userId: 'ann', edit: request });
  const rewrite = (body: string) => edit({ case: 'replaceAll', value: { parts: [part(body)] } });
  const texts = (userId: string) => textsOf(room, message.id, userId);

  test('is what was there when they left, by every way to read it', async () => {
    await rewrite('second');
    await patch(room, remove('bob'));
    await rewrite('third');
    await patch(room, remove('cat'));
    await rewrite('fourth');
    await rewrite('fifth');
    expect(await texts('bob')).toEqual(['second']);
    expect(await texts('cat')).toEqual(['third']);
    expect(await texts('ann')).toEqual(['fifth']);
    expect(await texts('')).toEqual(['fifth']);
  });

  test('has no part that was added later, every part that was removed later, and the time of its last edit', async () => {
    await rewrite('second');
    await patch(room, remove('bob'));
    const seen = async () => {
      const { message: shown } = await service.messaging.getMessage({
        appId: room.appId,
        id: message.id,
        userId: 'bob',
      });
      return { texts: shown?.parts.map(({ body }) => body), updatedAt: shown?.updatedAt };
    };
    const before = await seen();
    const { message: edited } = await edit({ case: 'add', value: part('more') });
    await edit({ case: 'remove', value: edited!.parts[0]!.id });
    expect(await seen()).toEqual({ ...before, texts: ['second'] });
    expect(await texts('ann')).toEqual(['more']);
  });

  test('is the present text once they are back', async () => {
    await patch(room, remove('bob'));
    await rewrite('second');
    await patch(room, add('bob'));
    expect(await texts('bob')).toEqual(['second']);
    await patch(room, remove('bob'));
    await rewrite('third');
    expect(await texts('bob')).toEqual(['second']);
  });

  test('is gone with what is deleted for all, and nothing of it is kept', async () => {
    await patch(room, remove('bob'));
    await rewrite('second');
    const { appId } = room;
    const mode = DeletionMode.ALL_PARTICIPANTS;
    await service.messaging.deleteMessage({ appId, id: message.id, userId: 'ann', mode });
    expect(await problemIn(service.messaging.getMessage({ appId, id: message.id, userId: 'bob' }))).toBe(
      'not_found',
    );
    expect((await listAll(service, room, 'bob')).messages).toEqual([]);
    expect(await countVersions(room)).toBe(0);
  });

  test('is kept once for all who left since the last edit, and not for who does not see the message', async () => {
    await rewrite('second');
    expect(await countVersions(room)).toBe(0);
    await patch(room, remove('bob'), remove('cat'));
    await rewrite('third');
    await rewrite('fourth');
    expect(await countVersions(room)).toBe(1);
    message = await send(service, room, 'ann');
    await rewrite('fifth');
    expect(await countVersions(room)).toBe(1);
  });

  test('is nothing of a conversation that they left and hid, for which nothing is kept', async () => {
    const { appId, conversationId: id } = room;
    const mode = DeletionMode.MY_DEVICES;
    await service.messaging.deleteConversation({ appId, id, userId: 'bob', mode, leave: true });
    await rewrite('second');
    expect(await countVersions(room)).toBe(0);
  });
});

/** Texts that a user, or a server, reads of a message, by every way to read it. */
async function textsOf(room: Room, id: string, userId: string): Promise<string[]> {
  const { appId } = room;
  const { messaging, changeLog } = service;
  const one = await messaging.getMessage({ appId, id, userId });
  const page = await messaging.listMessages({ ...room, userId });
  const shown = [one.message, page.messages.find((listed) => listed.id === id)];
  if (userId) {
    const { userView } = await getConversation(service, room, userId);
    const list = await messaging.listConversations({ appId, userId });
    const { events } = await changeLog.listUserEvents({ appId, userId, fromTimestamp: 0 });
    const replayed = events.flatMap(({ body }) =>
      body.case === 'messageCreated' || body.case === 'messagePartsChanged' ? [body.value.message] : [],
    );
    shown.push(userView?.lastMessage, list.conversations[0]?.userView?.lastMessage, ...replayed);
  }
  const text = (message: Message | undefined) => message?.parts.map(({ body }) => body).join(' ') ?? 'none';
  return [...new Set(shown.map(text))];
}

async function countVersions({ conversationId }: Room): Promise<number> {
  const [row] = await service.ctx.db.query<{ count: number }>({
    text: 'select count(*)::int4 as count from message_version where conversation_id = $1',
    values: [conversationId],
  });
  return row!.count;
}

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

test('a former participant whom an import names keeps the metadata and the place of then', async () => {
  const room = await createRoom(service, ['ann', 'cat']);
  const { appId, conversationId } = room;
  const sentAt = Date.now() - 60_000;
  const message = create(MessageSchema, {
    id: randomUUID(),
    conversationId,
    position: 1,
    sender: { userId: 'ann' },
    parts: [{ id: randomUUID(), mimeType: 'text/plain', body: 'then' }],
    sentAt,
  });
  const messages = [{ message, recipients: [{ userId: 'bob', read: true }] }];
  await restoreMessages(service.ctx, create(RestoreMessagesRequestSchema, { appId, messages }));
  await patch(room, setMetadata(['topic'], 'later'));
  await send(service, room, 'ann');
  expect((await getConversation(service, room, 'bob')).metadata).toEqual({});
  const text = `select left_message_at as at from participant where app_id = $1 and user_id = 'bob'`;
  expect(await service.ctx.db.query({ text, values: [appId] })).toEqual([{ at: sentAt }]);
});
