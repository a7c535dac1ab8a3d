import { randomUUID } from 'node:crypto';
import { expectProblem, problemIn } from '@parley/domain/testing/problems';
import { History } from '@parley/proto/parley/messaging/v1/conversation_pb';
import {
  DeletionMode,
  ListConversationsRequest_Sort as Sort,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import {
  createRoom,
  getConversation,
  listAll,
  receipt,
  send,
  unreadCount,
  type Room,
} from '../support/actions.ts';
import { setMetadata } from '../support/patches.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

// docs/protocol/conversations.md#participants

let service: TestMessaging;

beforeAll(async () => {
  service = await startMessaging();
});

afterAll(() => service.stop());

const { ALL, NONE } = History;

function add({ appId, conversationId: id }: Room, value: string, history: History): Promise<unknown> {
  const step = { case: 'addParticipant' as const, value };
  return service.messaging.updateConversation({ appId, id, userId: 'ann', operations: [{ step, history }] });
}

function remove({ appId, conversationId: id }: Room, value: string): Promise<unknown> {
  const step = { case: 'removeParticipant' as const, value };
  return service.messaging.updateConversation({ appId, id, userId: 'ann', operations: [{ step }] });
}

function show({ appId, conversationId: id }: Room, value: string, userId = ''): Promise<unknown> {
  const step = { case: 'showHistory' as const, value };
  return service.messaging.updateConversation({ appId, id, userId, operations: [{ step }] });
}

async function positions(room: Room, userId: string): Promise<number[]> {
  const { messages, total } = await listAll(service, room, userId);
  expect(total).toBe(messages.length);
  const { userView } = await getConversation(service, room, userId);
  expect([userView?.totalMessageCount, userView?.lastMessage?.position]).toEqual([
    total,
    messages[0]?.message.position,
  ]);
  return messages.map(({ message }) => message.position);
}

async function sendSome(room: Room, count: number, sender = 'ann') {
  const sent = [];
  for (let one = 0; one < count; one += 1) sent.push(await send(service, room, sender));
  return sent;
}

test('who is added without the history sees nothing of it anywhere', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId } = room;
  const [first] = await sendSome(room, 3);
  await add(room, 'cat', NONE);
  expect(await positions(room, 'cat')).toEqual([]);
  expect(await unreadCount(service, room, 'cat')).toBe(0);
  const { id } = first!;
  await expectProblem(service.messaging.getMessage({ appId, id, userId: 'cat' }), 'not_found');
  for (const mode of [DeletionMode.MY_DEVICES, DeletionMode.ALL_PARTICIPANTS])
    await expectProblem(service.messaging.deleteMessage({ appId, id, userId: 'cat', mode }), 'not_found');
  for (const type of ['read', 'delivery'] as const)
    expect(await receipt(service, { appId, userId: 'cat', messageId: id }, type)).toBe('not_found');
  const page = service.messaging.listMessages({ ...room, userId: 'cat', fromId: id, pageSize: 10 });
  await expectProblem(page, 'invalid_property', { property: 'from_id' });
  const [fourth] = await sendSome(room, 1, 'bob');
  expect(await positions(room, 'cat')).toEqual([4]);
  expect(await unreadCount(service, room, 'cat')).toBe(1);
  expect(await receipt(service, { appId, userId: 'cat', messageId: fourth!.id })).toBe('recorded');
  expect(await positions(room, 'bob')).toEqual([4, 3, 2, 1]);
  const { results } = await service.messaging.getUnreadCounts({
    items: [{ appId, conversationId, userId: 'cat' }],
  });
  expect(results[0]?.lastMessageId).toBe(fourth!.id);
});

test('what is edited, deleted or read of it is not told either', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId } = room;
  const [first, second] = await sendSome(room, 2);
  await add(room, 'cat', NONE);
  const parts = [{ id: randomUUID(), mimeType: 'text/plain', body: 'edited' }];
  const edit = { case: 'replaceAll' as const, value: { parts } };
  await service.parts.editParts({ appId, messageId: first!.id, userId: 'ann', edit });
  await service.messaging.deleteMessage({
    appId,
    id: second!.id,
    userId: 'ann',
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  const kindsOf = async (userId: string) =>
    (await service.changeLog.listUserEvents({ appId, userId, fromTimestamp: 0, pageSize: 100 })).events.map(
      ({ body }) => body.case,
    );
  expect((await kindsOf('bob')).slice(-3)).toEqual([
    'conversationUpdated',
    'messagePartsChanged',
    'messageDeleted',
  ]);
  expect(await kindsOf('cat')).toEqual(['conversationCreated']);
});

test('who comes back keeps what they saw, and each gap follows the history of its return', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await sendSome(room, 2);
  await remove(room, 'bob');
  await sendSome(room, 2);
  await add(room, 'bob', NONE);
  expect(await positions(room, 'bob')).toEqual([2, 1]);
  await sendSome(room, 1);
  await remove(room, 'bob');
  await sendSome(room, 1);
  expect(await positions(room, 'bob')).toEqual([5, 2, 1]);
  await add(room, 'bob', ALL);
  expect(await positions(room, 'bob')).toEqual([6, 5, 2, 1]);
  await remove(room, 'bob');
  await add(room, 'bob', NONE);
  expect(await positions(room, 'bob')).toEqual([6, 5, 2, 1]);
  await show(room, 'bob');
  expect(await positions(room, 'bob')).toEqual([6, 5, 4, 3, 2, 1]);
});

test('a server shows the history later, a user may not, and a repeat changes nothing', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId } = room;
  await sendSome(room, 2);
  await add(room, 'cat', NONE);
  await expectProblem(show(room, 'cat', 'ann'), 'access_denied');
  await expectProblem(show(room, 'dan'), 'invalid_property', { property: 'history' });
  const seqOf = async () => (await getConversation(service, room, 'ann')).seq;
  await show(room, 'cat');
  const seq = await seqOf();
  expect(await positions(room, 'cat')).toEqual([2, 1]);
  expect(await unreadCount(service, room, 'cat')).toBe(0);
  await show(room, 'cat');
  await show(room, 'bob');
  expect(await seqOf()).toBe(seq);
  const { events } = await service.changeLog.listUserEvents({
    appId,
    userId: 'cat',
    fromTimestamp: 0,
    pageSize: 9,
  });
  const last = events.at(-1)?.body;
  expect(last?.case === 'conversationCreated' && last.value.conversation?.userView?.totalMessageCount).toBe(
    2,
  );
  const of = async (userId: string) =>
    (await service.changeLog.listUserEvents({ appId, userId, fromTimestamp: 0, pageSize: 9 })).events.length;
  expect(await of('ann')).toBe((await of('bob')) + 0);
});

test('a history that is shown keeps back what users wrote whom the newcomer blocks', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await sendSome(room, 1, 'bob');
  await sendSome(room, 1, 'ann');
  await add(room, 'cat', NONE);
  const blocks = [{ blockedUserId: 'bob', blocked: true, version: 1 }];
  await service.copies.applyBlocks({ appId: room.appId, ownerUserId: 'cat', blocks });
  await show(room, 'cat');
  expect(await positions(room, 'cat')).toEqual([2]);
});

test('a history that is shown beside another change keeps back the same after the next message of its user', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  await sendSome(room, 2, 'bob');
  const blocks = [{ blockedUserId: 'bob', blocked: true, version: 1 }];
  await service.copies.applyBlocks({ appId, ownerUserId: 'cat', blocks });
  await add(room, 'cat', NONE);
  await sendSome(room, 1, 'cat');
  const shown = { step: { case: 'showHistory' as const, value: 'cat' } };
  await service.messaging.updateConversation({ appId, id, operations: [setMetadata(['a'], 'x'), shown] });
  await sendSome(room, 1, 'cat');
  expect(await positions(room, 'cat')).toEqual([4, 3]);
});

test('a history that is shown leaves a hidden conversation hidden', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  await sendSome(room, 2);
  await add(room, 'cat', NONE);
  await service.messaging.deleteConversation({ appId, id, userId: 'cat', mode: DeletionMode.MY_DEVICES });
  await show(room, 'cat');
  const page = { appId, userId: 'cat', fromTimestamp: 0, pageSize: 9 };
  const { events } = await service.changeLog.listUserEvents(page);
  expect(events.at(-1)?.body.case).toBe('conversationHidden');
});

test('in one patch a later step that adds without the history wins over an earlier one that shows it', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  await remove(room, 'bob');
  await sendSome(room, 2);
  const shown = { step: { case: 'showHistory' as const, value: 'bob' } };
  const added = { step: { case: 'addParticipant' as const, value: 'bob' }, history: NONE };
  await service.messaging.updateConversation({ appId, id, operations: [shown, added] });
  expect(await positions(room, 'bob')).toEqual([]);
});

test('in one patch the first step that adds a user counts, and set takes a history, too', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  await sendSome(room, 1);
  await service.messaging.updateConversation({
    appId,
    id,
    userId: 'ann',
    operations: [
      { step: { case: 'addParticipant', value: 'cat' }, history: NONE },
      { step: { case: 'addParticipant', value: 'cat' }, history: ALL },
      { step: { case: 'setParticipants', value: { userIds: ['ann', 'bob', 'cat', 'dan'] } }, history: NONE },
      { step: { case: 'removeParticipant', value: 'bob' } },
      { step: { case: 'addParticipant', value: 'bob' }, history: NONE },
    ],
  });
  expect(await Promise.all(['ann', 'bob', 'cat', 'dan'].map((user) => positions(room, user)))).toEqual([
    [1],
    [1],
    [],
    [],
  ]);
});

test('a newcomer to a conversation without messages has no positions to miss', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await add(room, 'cat', NONE);
  const [row] = await service.ctx.db.query<{ unseen: string | null }>({
    text: `select unseen::text from participant where app_id = $1 and conversation_id = $2 and user_id = 'cat'`,
    values: [room.appId, room.conversationId],
  });
  expect(row?.unseen).toBeNull();
});

test('pages run over a gap without reading it, in whichever budget', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await sendSome(room, 5);
  await remove(room, 'bob');
  await sendSome(room, 300);
  await add(room, 'bob', NONE);
  await sendSome(room, 5);
  const expected = [310, 309, 308, 307, 306, 5, 4, 3, 2, 1];
  expect(await positions(room, 'bob')).toEqual(expected);
  const all: number[] = [];
  for (let fromId = ''; ;) {
    const page = await service.messaging.listMessages({
      ...room,
      userId: 'bob',
      fromId,
      pageSize: 3,
      byteBudget: 1,
    });
    all.push(...page.messages.map(({ position }) => position));
    if (page.messages.length === 0) break;
    fromId = page.messages.at(-1)!.id;
  }
  expect(all).toEqual(expected);
});

test('the list by last message does not tell when messages were sent that the newcomer does not see', async () => {
  const appId = randomUUID();
  const old = await createRoom(service, ['ann', 'bob'], appId);
  const own = await createRoom(service, ['cat'], appId);
  await sendSome(old, 2);
  await add(old, 'cat', NONE);
  const list = async () =>
    (
      await service.messaging.listConversations({ appId, userId: 'cat', sort: Sort.LAST_MESSAGE })
    ).conversations.map(({ id }) => id);
  expect(await list()).toEqual([own.conversationId, old.conversationId]);
  await show(old, 'cat');
  expect(await list()).toEqual([old.conversationId, own.conversationId]);
  expect(await problemIn(getConversation(service, old, 'cat'))).toBe('success');
});
