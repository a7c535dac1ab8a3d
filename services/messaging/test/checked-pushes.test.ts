import { randomUUID } from 'node:crypto';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { countUnreadTotalsOf } from '../src/read-state/totals.ts';
import { createRoom, receipt, send, type Room } from './support/actions.ts';
import { connectAlone } from './support/cost.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
let room: Room;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cem']);
});

async function check(userId: string, messageId: string, conversationId = room.conversationId) {
  const items = [{ userId, conversationId, messageId }];
  const { results } = await service.notifications.checkPushes({ appId: room.appId, items });
  return results[0]!;
}

test('a push for an unread message is wanted, and comes with the present counts', async () => {
  await send(service, room, 'ann');
  const { id } = await send(service, room, 'ann');
  expect(await check('bob', id)).toMatchObject({
    isWanted: true,
    unreadConversationCount: 1,
    unreadMessageCount: 2,
  });
  await receipt(service, { appId: room.appId, userId: 'bob', messageId: id });
  expect((await check('bob', id)).isWanted).toBe(false);
  expect((await check('cem', id)).isWanted).toBe(true);
});

test('a message that was read although an earlier one was not is not wanted', async () => {
  const first = await send(service, room, 'ann');
  await service.messaging.deleteMessage({
    ...room,
    id: first.id,
    userId: 'bob',
    mode: DeletionMode.MY_DEVICES,
  });
  expect((await check('bob', first.id)).isWanted).toBe(false);
  expect((await check('cem', first.id)).isWanted).toBe(true);
});

test('nothing is wanted of a deleted message, by a user who left, or by one who blocks the sender', async () => {
  const { id } = await send(service, room, 'ann');
  await service.ctx.db.execute({
    text: `insert into block_copy (app_id, blocked_user_id, owner_user_id) values ($1, 'ann', 'bob')`,
    values: [room.appId],
  });
  expect((await check('bob', id)).isWanted).toBe(false);
  expect((await check('stranger', id)).isWanted).toBe(false);
  await service.messaging.deleteMessage({ ...room, id, userId: 'ann', mode: DeletionMode.ALL_PARTICIPANTS });
  expect((await check('cem', id)).isWanted).toBe(false);
});

test('a push without a message is always wanted, and malformed ids name nothing', async () => {
  await send(service, room, 'ann');
  expect(await check('bob', '', '')).toMatchObject({ isWanted: true, unreadMessageCount: 1 });
  expect((await check('bob', 'no uuid')).isWanted).toBe(false);
  expect((await check('bob', randomUUID(), 'no uuid')).isWanted).toBe(false);
  const items = [{ userId: 'bob', conversationId: '', messageId: '' }];
  const { results } = await service.notifications.checkPushes({ appId: 'no uuid', items });
  expect(results).toMatchObject([{ isWanted: false }]);
});

test('the unread messages of many users are counted by a few statements, also of one with many conversations', async () => {
  const others = Array.from({ length: 49 }, (_, index) => `user ${index}`);
  const { appId } = room;
  const crowd = await createRoom(service, ['ann', 'bob', ...others], appId);
  await send(service, crowd, 'ann');
  for (let number = 1; number < 25; number++)
    await send(service, await createRoom(service, ['ann', 'bob'], appId), 'ann');
  const db = connectAlone(service.ctx);
  const counted = await countUnreadTotalsOf(db, { appId, userIds: ['bob', ...others, 'ann', 'stranger'] });
  expect(counted.get('bob')).toEqual({ unreadConversationCount: 25, unreadMessageCount: 25 });
  for (const userId of others)
    expect(counted.get(userId)).toEqual({ unreadConversationCount: 1, unreadMessageCount: 1 });
  for (const userId of ['ann', 'stranger'])
    expect(counted.get(userId)).toEqual({ unreadConversationCount: 0, unreadMessageCount: 0 });
  expect(db.statements).toBeLessThanOrEqual(4);
  await db.close();
});
