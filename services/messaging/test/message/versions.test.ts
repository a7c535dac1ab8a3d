import { randomUUID } from 'node:crypto';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { createRoom, getConversation, send, type Room } from '../support/actions.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;
let message: Message;
let version = 0;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cid']);
  message = await send(service, room, 'bob', { parts: [part('first')] });
});

function part(body: string) {
  return { id: randomUUID(), mimeType: 'text/plain', body };
}

function block(owner: string, blocked: string, isBlocked = true) {
  const blocks = [{ blockedUserId: blocked, blocked: isBlocked, version: ++version }];
  return service.copies.applyBlocks({ appId: room.appId, ownerUserId: owner, blocks });
}

function rewrite(body: string, userId = 'bob') {
  const value = { parts: [part(body)] };
  return service.parts.editParts({
    appId: room.appId,
    messageId: message.id,
    userId,
    edit: { case: 'replaceAll', value },
  });
}

function textOf(shown: Message | undefined): string {
  return shown?.parts.map(({ body }) => body).join(' ') ?? 'none';
}

/** Texts that a user reads, by every way to read a message. */
async function texts(userId: string): Promise<string[]> {
  const { appId } = room;
  const one = await service.messaging.getMessage({ appId, id: message.id, userId });
  const page = await service.messaging.listMessages({ ...room, userId });
  const { userView } = await getConversation(service, room, userId);
  const list = await service.messaging.listConversations({ appId, userId });
  const { events } = await service.changeLog.listUserEvents({ appId, userId, fromTimestamp: 0 });
  const replayed = events.flatMap(({ body }) =>
    body.case === 'messageCreated' || body.case === 'messagePartsChanged' ? [body.value.message] : [],
  );
  const shown = [
    one.message,
    page.messages.find(({ id }) => id === message.id),
    userView?.lastMessage,
    list.conversations[0]?.userView?.lastMessage,
    ...replayed,
  ];
  return [...new Set(shown.map(textOf))];
}

async function countVersions(): Promise<number> {
  const [row] = await service.ctx.db.query<{ count: number }>({
    text: 'select count(*)::int4 as count from message_version where conversation_id = $1',
    values: [room.conversationId],
  });
  return row!.count;
}

test('who blocks the sender goes on reading what an edit replaced, however they read', async () => {
  await block('ann', 'bob');
  await rewrite('second');
  await rewrite('third');
  expect(await texts('ann')).toEqual(['first']);
  expect(await texts('cid')).toEqual(['third']);
  expect(await texts('bob')).toEqual(['third']);
  expect(textOf((await service.messaging.getMessage({ appId: room.appId, id: message.id })).message)).toBe(
    'third',
  );
});

test('the edit before a block shows, and one after it ended does not show what was withheld', async () => {
  await rewrite('second');
  await block('ann', 'bob');
  await rewrite('third');
  await block('ann', 'bob', false);
  await rewrite('fourth');
  await block('cid', 'bob');
  await rewrite('fifth');
  expect(await texts('ann')).toEqual(['second']);
  expect(await texts('cid')).toEqual(['fourth']);
  expect(await texts('bob')).toEqual(['fifth']);
  expect(await countVersions()).toBe(2);
});

test('a server that edits writes for the sender', async () => {
  await block('ann', 'bob');
  await rewrite('second', '');
  expect(await texts('ann')).toEqual(['first']);
  expect(await texts('cid')).toEqual(['second']);
});

test('what a gateway reads again for all participants has no later text in an earlier change', async () => {
  await rewrite('second');
  await block('ann', 'bob');
  await rewrite('third');
  const { events } = await service.changeLog.listConversationEvents({ ...room, firstSeq: 2 });
  const shown = events.map(({ body }) =>
    body.case === 'messageCreated' || body.case === 'messagePartsChanged'
      ? [textOf(body.value.message), body.value.hiddenFrom]
      : [],
  );
  expect(shown).toEqual([
    ['second', []],
    ['second', []],
    ['third', ['ann']],
  ]);
});

test('a deletion for all is one for who blocks the sender, and removes what was kept', async () => {
  await block('ann', 'bob');
  await rewrite('second');
  const { appId } = room;
  const mode = DeletionMode.ALL_PARTICIPANTS;
  await service.messaging.deleteMessage({ appId, id: message.id, userId: 'bob', mode });
  expect(await countVersions()).toBe(0);
  const read = service.messaging.getMessage({ appId, id: message.id, userId: 'ann' });
  expect(await problemIn(read)).toBe('not_found');
});

test('a deletion by a process of the release before removes what was kept, too', async () => {
  await block('ann', 'bob');
  await rewrite('second');
  const text = `update message set body = '', deleted_at = clock_timestamp() where app_id = $1 and id = $2`;
  expect(await service.ctx.db.execute({ text, values: [room.appId, message.id] })).toBe(1);
  expect(await countVersions()).toBe(0);
});

test('nothing is kept where nobody blocks the sender', async () => {
  await block('ann', 'cid');
  await block('dan', 'bob');
  await rewrite('second');
  expect(await countVersions()).toBe(0);
});
