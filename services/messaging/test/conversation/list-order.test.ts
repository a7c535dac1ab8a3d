import { randomUUID } from 'node:crypto';
import {
  DeletionMode,
  ListConversationsRequest_Sort,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createRoom, draft, send, sendAll, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let appId: string;
let one: Room;
let other: Room;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

/** `one` is older than `other`; ann blocks bob. */
beforeEach(async () => {
  appId = randomUUID();
  one = await createRoom(service, ['ann', 'bob', 'cid'], appId);
  other = await createRoom(service, ['ann', 'bob', 'cid'], appId);
  const blocks = [{ blockedUserId: 'bob', blocked: true, version: 1 }];
  await service.copies.applyBlocks({ appId, ownerUserId: 'ann', blocks });
  await send(service, one, 'cid');
  await send(service, other, 'cid');
});

/** Whether a user's list has `one` above `other`. */
async function isOneFirst(userId: string): Promise<boolean> {
  const sort = ListConversationsRequest_Sort.LAST_MESSAGE;
  const { conversations } = await service.messaging.listConversations({ appId, userId, sort });
  expect(conversations).toHaveLength(2);
  return conversations[0]!.id === one.conversationId;
}

function deleteForAll(id: string) {
  return service.messaging.deleteMessage({ appId, id, mode: DeletionMode.ALL_PARTICIPANTS });
}

test('a message moves the list of those who see it, and not that of who blocks its sender', async () => {
  await send(service, one, 'bob');
  await sendAll(service, [draft(one, 'bob'), draft(one, 'bob')]);
  expect(await Promise.all(['ann', 'bob', 'cid'].map(isOneFirst))).toEqual([false, true, true]);
  await send(service, one, 'cid');
  expect(await isOneFirst('ann')).toBe(true);
});

test('messages of one transaction move the list as each alone does', async () => {
  await sendAll(service, [draft(one, 'bob'), draft(one, 'cid'), draft(one, 'bob'), draft(one, 'bob')]);
  expect(await isOneFirst('ann')).toBe(true);
  await send(service, other, 'cid');
  await sendAll(service, [draft(one, 'bob'), draft(other, 'bob')]);
  expect(await isOneFirst('ann')).toBe(false);
});

test('a deletion moves the list back to the newest message that the user sees', async () => {
  await send(service, one, 'bob');
  const seen = await send(service, one, 'cid');
  const withheld = await send(service, one, 'bob');
  expect(await isOneFirst('ann')).toBe(true);
  await deleteForAll(withheld.id);
  expect(await isOneFirst('ann')).toBe(true);
  await deleteForAll(seen.id);
  expect(await isOneFirst('ann')).toBe(false);
  expect(await isOneFirst('cid')).toBe(true);
  await send(service, one, 'bob');
  expect(await isOneFirst('ann')).toBe(false);
});

test('a user who leaves keeps the order that they had', async () => {
  await send(service, one, 'bob');
  const step = { case: 'removeParticipant', value: 'ann' } as const;
  await service.messaging.updateConversation({ appId, id: one.conversationId, operations: [{ step }] });
  expect(await isOneFirst('ann')).toBe(false);
});

test('a user who deletes a conversation and opens it again finds it where they last saw a message', async () => {
  const open = async () => {
    const participantIds = ['ann', 'bob', 'cid'];
    const request = { appId, participantIds, userId: 'ann', distinct: true };
    const { conversation } = await service.messaging.createConversation(request);
    return { appId, conversationId: conversation!.id };
  };
  const distinct = await open();
  await send(service, distinct, 'cid');
  await send(service, other, 'cid');
  await send(service, distinct, 'bob');
  const mode = DeletionMode.MY_DEVICES;
  await service.messaging.deleteConversation({ appId, id: distinct.conversationId, userId: 'ann', mode });
  await open();
  const sort = ListConversationsRequest_Sort.LAST_MESSAGE;
  const { conversations } = await service.messaging.listConversations({ appId, userId: 'ann', sort });
  const ids = [other, distinct, one].map(({ conversationId }) => conversationId);
  expect(conversations.map(({ id }) => id)).toEqual(ids);
});
