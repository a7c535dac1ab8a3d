import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { messageOfDraft } from '@parley/domain/message-of-draft';
import { DeletionMode, MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import {
  createRoom,
  draft,
  listAll,
  receipt,
  send,
  sendAll,
  trySend,
  unreadCount,
  type Room,
} from '../support/actions.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;

beforeAll(async () => void (service = await startMessaging()));
afterAll(() => service?.stop());
beforeEach(async () => void (room = await createRoom(service, ['ann', 'bob', 'cat'])));

function remove(id: string, userId: string, mode: DeletionMode) {
  return service.messaging.deleteMessage({ appId: room.appId, id, userId, mode });
}

test("a message gets the next position, its sender's name and the sent parts", async () => {
  const first = await send(service, room, 'ann');
  const second = await send(service, room, 'bob', { notification: { title: 'Bob', text: 'hi' }, low: true });
  expect([first.position, second.position]).toEqual([1, 2]);
  expect(second.sender).toMatchObject({ userId: 'bob', displayName: 'BOB' });
  const { message } = await service.messaging.getMessage({ appId: room.appId, id: second.id, userId: 'ann' });
  expect(message).toMatchObject({ ...second, isUnread: true });
  expect(message?.notification).toMatchObject({ title: 'Bob', text: 'hi' });
});

test('a batch takes each item by itself', async () => {
  const other = await createRoom(service, ['ann', 'dan'], room.appId);
  const { results } = await service.messaging.sendMessages({
    items: [
      draft(room, 'ann'),
      draft(room, 'stranger'),
      draft({ ...room, conversationId: randomUUID() }, 'ann'),
      draft({ ...room, conversationId: 'nonsense' }, 'ann'),
      draft(room, 'bob', { id: 'nonsense' }),
      draft(other, 'dan'),
      draft(room, 'bob'),
    ],
  });
  const said = results.map(({ outcome }) => (outcome.case === 'problem' ? outcome.value.id : outcome.case));
  expect(said).toEqual(['sent', 'not_found', 'not_found', 'not_found', 'invalid_request_id', 'sent', 'sent']);
  expect((await listAll(service, room, 'cat')).messages.map(({ message }) => message.position)).toEqual([
    2, 1,
  ]);
});

test('a server speaks for participants and bots only', async () => {
  const by = (senderId: string) => trySend(service, draft(room, senderId, { byServer: true }));
  await createRoom(service, ['dan', 'ann'], room.appId);
  expect(await by('ann')).toBe('sent');
  expect(await by('bot one')).toBe('sent');
  expect(await by('dan')).toBe('invalid_property: sender_id');
  expect(await by('nobody')).toBe('not_found: sender_id');
  expect((await listAll(service, room, 'bob')).messages[0]).toMatchObject({
    message: { sender: { userId: 'bot one', displayName: 'BOT ONE' } },
    statuses: { 'bot one': 'read', ann: 'sent', bob: 'sent', cat: 'sent' },
  });
});

test('a taken id is a duplicate with the message, a repeated call is a success, and neither uses a position', async () => {
  const item = draft(room, 'ann');
  const [stored] = await sendAll(service, [item]);
  const again = await service.messaging.sendMessages({
    items: [item, { ...item, requestId: randomUUID() }, { ...item, requestId: '' }],
  });
  expect(again.results.map(({ outcome }) => outcome.case)).toEqual(['sent', 'duplicate', 'duplicate']);
  expect(again.results[0]?.outcome.value).toMatchObject({ message: { id: stored?.id, position: 1 } });
  expect(again.results[1]?.outcome.value).toMatchObject({ message: { id: stored?.id, position: 1 } });
  const elsewhere = await createRoom(service, ['dan'], room.appId);
  const hidden = await service.messaging.sendMessages({ items: [draft(elsewhere, 'dan', { id: item.id })] });
  expect(hidden.results[0]?.outcome).toMatchObject({ case: 'duplicate', value: {} });
  expect((await send(service, room, 'bob')).position).toBe(2);
  expect((await send(service, elsewhere, 'dan')).position).toBe(1);
});

test('a user who was removed after they sent a message learns from a repeat that it was sent', async () => {
  const item = draft(room, 'bob', { requestId: '' });
  const [stored] = await sendAll(service, [item]);
  const { appId, conversationId: id } = room;
  const operations = [{ step: { case: 'removeParticipant' as const, value: 'bob' } }];
  await service.messaging.updateConversation({ appId, id, userId: 'ann', operations });
  const again = { ...item, requestId: randomUUID() };
  const { results } = await service.messaging.sendMessages({ items: [again, draft(room, 'bob')] });
  expect(results[0]?.outcome).toMatchObject({ case: 'duplicate', value: { message: { id: stored?.id } } });
  expect(results[1]?.outcome).toMatchObject({ case: 'problem' });
});

test('a lean answer completes the draft; a message that an earlier call stored is answered whole', async () => {
  const notification = { title: 'Ann', text: 'hi' };
  const item = create(MessageDraftSchema, draft(room, 'ann', { notification, low: true }));
  const ask = async () => (await service.messaging.sendMessages({ items: [item], lean: true })).results[0];
  const first = (await ask())?.outcome;
  if (first?.case !== 'stored') throw new Error(`the message was answered as ${first?.case}`);
  const again = (await ask())?.outcome;
  if (again?.case !== 'sent') throw new Error(`the repeated message was answered as ${again?.case}`);
  expect(messageOfDraft(item, first.value)).toEqual(again.value.message);
  const { seq, membersSeq } = (await sendWhole(room, 'bob')).value;
  expect(first.value).toMatchObject({ seq: seq - 1, membersSeq });
});

async function sendWhole(into: Room, senderId: string) {
  const { results } = await service.messaging.sendMessages({ items: [draft(into, senderId)] });
  const outcome = results[0]?.outcome;
  if (outcome?.case !== 'sent') throw new Error(`the message was answered as ${outcome?.case}`);
  return outcome;
}

test('of the same id twice in a batch the first wins', async () => {
  const item = draft(room, 'ann');
  const { results } = await service.messaging.sendMessages({
    items: [
      item,
      { ...item, requestId: randomUUID() },
      { ...item, parts: [{ ...item.parts[0]!, id: randomUUID() }] },
    ],
    lean: true,
  });
  expect(results.map(({ outcome }) => outcome.case)).toEqual(['stored', 'duplicate', 'sent']);
  // A repetition is answered as the message is stored: the gateway gave its parts other ids.
  expect(results[2]?.outcome.value).toMatchObject({ message: { parts: [{ id: item.parts[0]!.id }] } });
  expect((await listAll(service, room, 'bob')).total).toBe(1);
});

test('reading lowers the unread count and shows in receipts; a later delivery changes nothing', async () => {
  const [first, second] = await sendAll(service, [draft(room, 'ann'), draft(room, 'ann')]);
  const of = (userId: string, messageId: string) => ({ appId: room.appId, userId, messageId });
  expect(await receipt(service, of('bob', second!.id))).toBe('recorded');
  expect(await receipt(service, of('bob', second!.id), 'delivery')).toBe('recorded');
  expect(await receipt(service, of('cat', second!.id), 'delivery')).toBe('recorded');
  expect(await receipt(service, of('ann', first!.id))).toBe('recorded');
  expect(await receipt(service, of('stranger', first!.id))).toBe('not_found');
  expect(await receipt(service, of('bob', randomUUID()))).toBe('not_found');
  const { messages } = await listAll(service, room, 'ann');
  expect(messages.map(({ statuses }) => statuses)).toEqual([
    { ann: 'read', bob: 'read', cat: 'delivered' },
    { ann: 'read', bob: 'sent', cat: 'sent' },
  ]);
  expect([await unreadCount(service, room, 'bob'), await unreadCount(service, room, 'cat')]).toEqual([1, 2]);
});

test('marks everything up to a position as read', async () => {
  await sendAll(
    service,
    [1, 2, 3].map(() => draft(room, 'ann')),
  );
  const mark = (position?: number) =>
    service.messaging.markAllRead({ ...room, userId: 'bob', ...(position !== undefined && { position }) });
  expect(await mark(2)).toMatchObject({ position: 2 });
  expect(await unreadCount(service, room, 'bob')).toBe(1);
  expect(await mark(99)).toMatchObject({ position: 3 });
  expect(await unreadCount(service, room, 'bob')).toBe(0);
  expect(await problemIn(mark(-1))).toBe('invalid_property: position');
  expect(await problemIn(service.messaging.markAllRead({ ...room, userId: 'stranger' }))).toBe('not_found');
});

test('marks everything up to a position as delivered, and lowers no status', async () => {
  const [first] = await sendAll(
    service,
    [1, 2, 3].map(() => draft(room, 'ann')),
  );
  await receipt(service, { appId: room.appId, userId: 'bob', messageId: first!.id });
  const mark = (userId: string, position?: number) =>
    service.messaging.markAllDelivered({ ...room, userId, ...(position !== undefined && { position }) });
  const statusesOf = async (userId: string) =>
    (await listAll(service, room, 'ann')).messages.map(({ statuses }) => statuses[userId]);
  expect(await mark('bob', 2)).toMatchObject({ position: 2 });
  expect(await statusesOf('bob')).toEqual(['sent', 'delivered', 'read']);
  expect(await mark('bob', 99)).toMatchObject({ position: 3 });
  expect(await statusesOf('bob')).toEqual(['delivered', 'delivered', 'read']);
  expect(await unreadCount(service, room, 'bob')).toBe(2);
  expect(await mark('ann')).toMatchObject({ position: 3 });
  expect(await statusesOf('ann')).toEqual(['read', 'read', 'read']);
  expect(await problemIn(mark('bob', -1))).toBe('invalid_property: position');
  expect(await problemIn(mark('stranger'))).toBe('not_found');
});

test('a message deleted for all is not found for users, and gone for servers', async () => {
  const message = await send(service, room, 'ann');
  const all = DeletionMode.ALL_PARTICIPANTS;
  expect(await problemIn(remove(message.id, 'stranger', all))).toBe('not_found');
  expect(await problemIn(remove(message.id, 'bob', all))).toBe('success');
  expect(await problemIn(remove(message.id, 'bob', all))).toBe('success');
  expect(await problemIn(remove(message.id, 'ann', all))).toBe('not_found');
  expect(await problemIn(remove(message.id, '', all))).toBe('success');
  const get = (userId: string) =>
    problemIn(service.messaging.getMessage({ appId: room.appId, id: message.id, userId }));
  expect([await get('ann'), await get('')]).toEqual(['not_found', 'object_deleted']);
  expect(await listAll(service, room, 'ann')).toMatchObject({ messages: [], total: 0 });
  expect(await unreadCount(service, room, 'cat')).toBe(0);
});

test("a message deleted on one user's devices is still there for other users", async () => {
  const message = await send(service, room, 'ann');
  expect(await problemIn(remove(message.id, 'bob', DeletionMode.MY_DEVICES))).toBe('success');
  expect(await problemIn(remove(message.id, 'bob', DeletionMode.MY_DEVICES))).toBe('success');
  expect(await problemIn(remove(message.id, 'bob', DeletionMode.ALL_PARTICIPANTS))).toBe('not_found');
  expect([await unreadCount(service, room, 'bob'), await unreadCount(service, room, 'cat')]).toEqual([0, 1]);
  expect((await listAll(service, room, 'bob')).total).toBe(0);
  expect((await listAll(service, room, 'cat')).messages[0]?.statuses).toEqual({
    ann: 'read',
    bob: 'sent',
    cat: 'sent',
  });
});

test('pages begin after from_id, and an unknown one is refused', async () => {
  const sent = await sendAll(
    service,
    [1, 2, 3, 4, 5].map(() => draft(room, 'ann')),
  );
  const page = (fromId: string) =>
    service.messaging.listMessages({ ...room, userId: 'bob', fromId, pageSize: 2 });
  const middle = await page(sent[3]!.id);
  expect(middle.messages.map(({ position }) => position)).toEqual([3, 2]);
  expect(middle.total).toBe(5);
  expect(await problemIn(page(randomUUID()))).toBe('invalid_property: from_id');
  expect(await problemIn(page('nonsense'))).toBe('invalid_property: from_id');
  expect(await problemIn(service.messaging.listMessages({ ...room, userId: 'stranger' }))).toBe('not_found');
  expect((await service.messaging.listMessages({ ...room, userId: '' })).messages).toHaveLength(5);
});
