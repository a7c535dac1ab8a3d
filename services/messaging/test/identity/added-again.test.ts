import { randomUUID } from 'node:crypto';
import { countRowsRead } from '@parley/kit/testing/rows-read';
import {
  DeletionMode,
  ListConversationsRequest_Sort,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { findNewestSeen } from '../../src/conversation/newest-seen.ts';
import { listMovingPlaces } from '../../src/sql/conversation/list-place.ts';
import { getDeletionState } from '../../src/sql/message/message-deletion.ts';
import { createRoom, getConversation, listAll, send, unreadCount, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

const part = (body: string) => ({ id: randomUUID(), mimeType: 'text/plain', body });
const say = (senderId: string, body: string) => send(service, room, senderId, { parts: [part(body)] });
const textOf = (message: Message | undefined) => message?.parts.map(({ body }) => body).join(' ');

function patch(actor: string, kind: 'addParticipant' | 'removeParticipant', userId: string) {
  const { appId, conversationId: id } = room;
  const operations = [{ step: { case: kind, value: userId } }];
  return service.messaging.updateConversation({ appId, id, userId: actor, operations });
}

function block(ownerUserId: string, blockedUserId: string, version = 1, blocked = true) {
  return service.copies.applyBlocks({
    appId: room.appId,
    ownerUserId,
    blocks: [{ blockedUserId, blocked, version }],
  });
}

/** The texts that a user gets, by every way to read them. */
async function sight(userId: string) {
  const { appId } = room;
  const sort = ListConversationsRequest_Sort.LAST_MESSAGE;
  const { conversations } = await service.messaging.listConversations({ appId, userId, sort });
  const { messages, total } = await listAll(service, room, userId);
  const { events } = await service.changeLog.listUserEvents({ appId, userId, fromTimestamp: 0 });
  const replayed = events.flatMap(({ body }) =>
    body.case === 'messageCreated' ? [textOf(body.value.message)] : [],
  );
  return {
    listed: textOf(conversations[0]?.userView?.lastMessage),
    last: textOf((await getConversation(service, room, userId)).userView?.lastMessage),
    history: messages.map(({ message }) => textOf(message)),
    total,
    replayed,
    unread: await unreadCount(service, room, userId),
  };
}

describe('a user who blocks another and is added by a third one', () => {
  beforeEach(async () => {
    room = await createRoom(service, ['ann', 'bob', 'cid']);
    await say('ann', 'before');
  });

  test('does not get what the blocked user sent while they were away', async () => {
    await block('bob', 'ann');
    await patch('ann', 'removeParticipant', 'bob');
    await say('cid', 'meanwhile');
    await say('ann', 'insult');
    await patch('cid', 'addParticipant', 'bob');
    const seen = await sight('bob');
    // The message from before is unread still.
    expect(seen).toMatchObject({ listed: 'meanwhile', last: 'meanwhile', total: 2, unread: 1 });
    expect(seen.history).toEqual(['meanwhile', 'before']);
    expect(seen.replayed).not.toContain('insult');
    await block('bob', 'ann', 2, false);
    expect((await sight('bob')).history).toEqual(['meanwhile', 'before']);
    await say('ann', 'after');
    expect((await sight('bob')).history).toEqual(['after', 'meanwhile', 'before']);
  });

  test('does not get what the blocked user sent before they first came', async () => {
    await block('dan', 'ann');
    await say('cid', 'visible');
    await say('ann', 'insult');
    await patch('cid', 'addParticipant', 'dan');
    expect(await sight('dan')).toMatchObject({
      listed: 'visible',
      history: ['visible'],
      total: 1,
      unread: 0,
    });
  });

  test('finds the conversation in the list where its newest message that they see puts it', async () => {
    await block('dan', 'ann');
    const other = await createRoom(service, ['dan', 'cid'], room.appId);
    await send(service, other, 'cid');
    await say('ann', 'insult');
    await patch('cid', 'addParticipant', 'dan');
    const sort = ListConversationsRequest_Sort.LAST_MESSAGE;
    const { conversations } = await service.messaging.listConversations({
      appId: room.appId,
      userId: 'dan',
      sort,
    });
    expect(conversations.map(({ id }) => id)).toEqual([other.conversationId, room.conversationId]);
  });

  test('gets everything of others, as do those who block nobody', async () => {
    await block('bob', 'ann');
    await patch('ann', 'removeParticipant', 'bob');
    await patch('ann', 'removeParticipant', 'cid');
    await say('ann', 'insult');
    await patch('ann', 'addParticipant', 'cid');
    expect((await sight('cid')).history).toEqual(['insult', 'before']);
  });
});

test('removing, editing and adding again keeps one earlier body at most, and none once everybody is back', async () => {
  room = await createRoom(service, ['ann', 'bob', 'cid']);
  const { id: messageId } = await say('ann', 'first');
  const versions = () =>
    service.ctx.db.execute({
      text: 'select from message_version where app_id = $1',
      values: [room.appId],
    });
  const rewrite = (body: string) =>
    service.parts.editParts({
      appId: room.appId,
      messageId,
      userId: 'ann',
      edit: { case: 'replaceAll', value: { parts: [part(body)] } },
    });
  await patch('ann', 'removeParticipant', 'bob');
  for (let time = 1; time <= 4; time += 1) {
    await patch('ann', 'removeParticipant', 'cid');
    await rewrite(`text ${time}`);
    expect((await sight('cid')).history).toEqual([time === 1 ? 'first' : `text ${time - 1}`]);
    expect((await sight('bob')).history).toEqual(['first']);
    await patch('ann', 'addParticipant', 'cid');
    expect(await versions()).toBe(1);
  }
  await patch('ann', 'addParticipant', 'bob');
  expect(await versions()).toBe(0);
});

test('a deletion reads bitmaps, however many messages after it are deleted or withheld', async () => {
  room = await createRoom(service, ['ann', 'bob', 'cid']);
  const { appId, conversationId } = room;
  const first = await say('cid', 'first');
  const second = await say('cid', 'second');
  await block('bob', 'ann');
  for (let left = 0; left < 40; left += 1)
    await Promise.all(Array.from({ length: 20 }, () => say('ann', 'withheld')));
  const place = { appId, conversationId, position: second.position };
  const head = 802;
  const counted = countRowsRead(service.ctx.db);
  await getDeletionState(counted.sql, place, head);
  expect(await listMovingPlaces(counted.sql, place, head)).toEqual([
    { user_id: 'bob', hidden_until: 0, unseen: null },
  ]);
  const query = { appId, conversationId, head, without: second.position };
  const seen = await findNewestSeen(counted.sql, query, [{ userId: 'bob', hiddenUntil: 0, unseen: [] }]);
  expect(seen).toEqual(new Map([['bob', first.position]]));
  expect(counted.rows).toBeLessThan(100);
  const mode = DeletionMode.ALL_PARTICIPANTS;
  await service.messaging.deleteMessage({ appId, id: second.id, userId: 'cid', mode });
  expect((await sight('bob')).last).toBe('first');
}, 120_000);
