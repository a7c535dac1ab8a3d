import { randomUUID } from 'node:crypto';
import { problemIn } from '@parley/domain/testing/problems';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { createRoom, getConversation, send, type Room } from '../support/actions.ts';
import { countsAndRecount, react, reactAll, shownReactions } from '../support/reactions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;
let message: Message;
let target: { appId: string; messageId: string };
let version = 0;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cid', 'dan', 'eve']);
  message = await send(service, room, 'bob');
  target = { appId: room.appId, messageId: message.id };
});
afterEach(async () => {
  const [counts, recount] = await countsAndRecount(service, room.appId);
  expect(counts).toEqual(recount);
});

function block(owner: string, blocked: string, isBlocked = true) {
  const blocks = [{ blockedUserId: blocked, blocked: isBlocked, version: ++version }];
  return service.copies.applyBlocks({ appId: room.appId, ownerUserId: owner, blocks });
}

/** Reactions that a user sees, by every way to read the message. */
async function seenBy(userId: string): Promise<string[][]> {
  const { appId } = room;
  const one = await service.messaging.getMessage({ appId, id: message.id, userId });
  const page = await service.messaging.listMessages({ ...room, userId });
  const { userView } = await getConversation(service, room, userId);
  const list = await service.messaging.listConversations({ appId, userId });
  const all = [
    one.message,
    page.messages.find(({ id }) => id === message.id),
    userView?.lastMessage,
    list.conversations[0]?.userView?.lastMessage,
  ].map((shown) => JSON.stringify(shownReactions(shown)));
  return [...new Set(all)].map((text) => JSON.parse(text) as string[]);
}

async function events(userId = '') {
  const { appId, conversationId } = room;
  const found = userId
    ? await service.changeLog.listUserEvents({ appId, userId, fromTimestamp: 0 })
    : await service.changeLog.listConversationEvents({ appId, conversationId, firstSeq: 1, lastSeq: 1000 });
  return found.events.flatMap(({ body }) => (body.case === 'reactionsChanged' ? [body.value] : []));
}

async function listed(userId: string, fields: { key?: string; fromId?: string; pageSize?: number } = {}) {
  const { reactions } = await service.reactions.listReactions({ ...target, userId, ...fields });
  return reactions.map(({ key, user }) => `${user?.userId} ${key}`);
}

test('a reaction is counted, names who reacted last, and is own to who reacted', async () => {
  for (const user of ['ann', 'cid', 'dan', 'eve'])
    expect(await react(service, target, user, '👍')).toBe('done');
  expect(await react(service, target, 'ann', 'tada')).toBe('done');
  expect(await seenBy('bob')).toEqual([['👍 4 eve,dan,cid', 'tada 1 ann']]);
  expect(await seenBy('ann')).toEqual([['👍 4 eve,dan,cid own', 'tada 1 ann own']]);
});

test('a repeat changes nothing and is told to nobody', async () => {
  for (let n = 0; n < 2; n++) expect(await react(service, target, 'ann', '👍')).toBe('done');
  expect(await events()).toHaveLength(1);
  for (let n = 0; n < 2; n++)
    expect(await react(service, target, 'ann', '👍', { remove: true })).toBe('done');
  expect(await events()).toHaveLength(2);
  expect(await seenBy('ann')).toEqual([[]]);
});

test('whoever is named and takes the reaction back leaves room for an earlier one', async () => {
  for (const user of ['ann', 'bob', 'cid', 'dan', 'eve']) await react(service, target, user, '👍');
  await reactAll(
    service,
    ['eve', 'dan'].map((userId) => ({ ...target, userId, key: '👍', remove: true })),
  );
  expect(await seenBy('eve')).toEqual([['👍 3 cid,bob,ann']]);
});

test('a reaction that replaces the others is one change', async () => {
  await react(service, target, 'ann', '👍');
  await react(service, target, 'ann', '🎉');
  await react(service, target, 'cid', '🎉');
  const before = (await events()).length;
  expect(await react(service, target, 'ann', '❤️', { replace: true })).toBe('done');
  expect(await seenBy('ann')).toEqual([['🎉 1 cid', '❤️ 1 ann own']]);
  expect(await events()).toHaveLength(before + 1);
  expect(await react(service, target, 'ann', '❤️', { replace: true })).toBe('done');
  expect(await events()).toHaveLength(before + 1);
});

test('reactions of one batch to a message are one change, also the same reaction twice', async () => {
  const items = ['ann', 'cid', 'dan', 'eve', 'ann'].map((userId) => ({ ...target, userId, key: '👍' }));
  expect(await reactAll(service, items)).toEqual(Array(5).fill('done'));
  const all = await events();
  expect(all.flatMap(({ changes }) => changes.map(({ user }) => user?.userId)).sort()).toEqual([
    'ann',
    'cid',
    'dan',
    'eve',
  ]);
  expect(all.length).toBeLessThanOrEqual(2);
});

test('a reaction that is given and taken back at once leaves nothing', async () => {
  const item = { ...target, userId: 'ann', key: '👍' };
  expect(await reactAll(service, [item, { ...item, remove: true }])).toEqual(['done', 'done']);
  expect(await seenBy('ann')).toEqual([[]]);
});

test('a message has at most 50 keys, and of one user 10', async () => {
  const keys = Array.from({ length: 51 }, (_, index) => `key${index}`);
  for (const key of keys.slice(0, 10)) expect(await react(service, target, 'ann', key)).toBe('done');
  expect(await react(service, target, 'ann', 'more')).toBe('invalid_operation: reactions');
  expect(await react(service, target, 'ann', 'more', { replace: true })).toBe('done');
  const users = ['bob', 'cid', 'dan', 'eve', 'ann'];
  await service.messaging.updateConversation({ appId: room.appId, id: room.conversationId, operations: [] });
  const items = keys.slice(0, 49).map((key, index) => ({ ...target, userId: users[index % 4]!, key }));
  for (const item of items.slice(0, 40)) expect(await reactAll(service, [item])).toEqual(['done']);
  for (const key of keys.slice(40, 49)) expect(await react(service, target, 'ann', key)).toBe('done');
  const outcome = await react(service, target, 'ann', 'one too many');
  expect(outcome).toBe('invalid_operation: reactions');
  expect(await react(service, target, 'ann', keys[0]!, { replace: true })).toBe('done');
});

test('a reader who blocks a user is not told their name, but counts them', async () => {
  await react(service, target, 'cid', '👍');
  await react(service, target, 'dan', '👍');
  await block('ann', 'cid');
  expect(await seenBy('ann')).toEqual([['👍 2 dan']]);
  expect(await listed('ann')).toEqual(['dan 👍']);
  expect(await listed('bob')).toEqual(['dan 👍', 'cid 👍']);
  expect(await listed('')).toEqual(['dan 👍', 'cid 👍']);
  await react(service, target, 'eve', '👍');
  const last = (await events()).at(-1)!;
  expect(last.hiddenNames).toMatchObject([{ userId: 'ann', blockedUserIds: ['cid'] }]);
  const own = (await events('ann')).at(-1)!;
  expect(own.reactions).toMatchObject([{ key: '👍', count: 3, recent: ['eve', 'dan'] }]);
  await block('ann', 'cid', false);
  expect(await seenBy('ann')).toEqual([['👍 3 eve,dan,cid']]);
});

test('a replay shows the reactions of now, and what the reader does', async () => {
  await react(service, target, 'ann', '👍');
  await react(service, target, 'ann', '🎉');
  await react(service, target, 'cid', '👍');
  await react(service, target, 'ann', '🎉', { remove: true });
  const shown = await events('ann');
  expect(shown.map(({ reactions }) => reactions.map(({ key, count }) => `${key} ${count}`))).toEqual([
    ['👍 2'],
    ['🎉 0'],
    ['👍 2'],
    ['🎉 0'],
  ]);
  expect(shown.map(({ changes }) => changes.map(({ removed }) => removed))).toEqual([
    [false],
    [true],
    [],
    [true],
  ]);
});

test('a message that the user does not see, or that is gone, has no reactions', async () => {
  const { appId } = room;
  await react(service, target, 'ann', '👍');
  expect(await react(service, target, 'stranger', '👍')).toBe('not_found');
  expect(await problemIn(listed('stranger'))).toBe('not_found');
  expect(await react(service, { appId, messageId: randomUUID() }, 'ann', '👍')).toBe('not_found');
  expect(await react(service, { ...target, appId: randomUUID() }, 'ann', '👍')).toBe('not_found');
  await service.messaging.deleteMessage({
    appId,
    id: message.id,
    userId: 'cid',
    mode: DeletionMode.MY_DEVICES,
  });
  expect(await react(service, target, 'cid', '👍')).toBe('not_found');
  await service.messaging.deleteMessage({
    appId,
    id: message.id,
    userId: 'bob',
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  expect(await react(service, target, 'ann', '🎉')).toBe('not_found');
  expect(await countsAndRecount(service, appId)).toEqual([[], []]);
  expect(await events('ann')).toEqual([]);
});

test('a removed participant reads but does not react, and is not told who reacted since', async () => {
  await react(service, target, 'ann', '👍');
  const step = { step: { case: 'removeParticipant' as const, value: 'cid' } };
  await service.messaging.updateConversation({
    appId: room.appId,
    id: room.conversationId,
    operations: [step],
  });
  expect(await react(service, target, 'cid', '👍')).toBe('access_denied');
  await react(service, target, 'dan', '👍');
  expect(await listed('cid')).toEqual(['ann 👍']);
  expect(await seenBy('cid')).toEqual([['👍 1 ann']]);
  expect((await events('cid')).map(({ reactions }) => shownReactions({ reactions }))).toEqual([['👍 1 ann']]);
  const replayed = await service.changeLog.listUserEvents({
    appId: room.appId,
    userId: 'cid',
    fromTimestamp: 0,
  });
  const messages = replayed.events.flatMap(({ body }) =>
    body.case === 'messageCreated' ? [shownReactions(body.value.message)] : [],
  );
  expect(messages).toEqual([['👍 1 ann']]);
  expect(await seenBy('bob')).toEqual([['👍 2 dan,ann']]);
});

test('who reacted is listed newest first, page by page, by key', async () => {
  for (const user of ['ann', 'cid', 'dan']) await react(service, target, user, '👍');
  await react(service, target, 'eve', '🎉');
  expect(await listed('bob', { key: '👍' })).toEqual(['dan 👍', 'cid 👍', 'ann 👍']);
  const first = await service.reactions.listReactions({ ...target, userId: 'bob', pageSize: 2 });
  expect(first.reactions.map(({ user }) => user?.userId)).toEqual(['eve', 'dan']);
  const fromId = first.reactions.at(-1)!.id;
  await react(service, target, 'dan', '👍', { remove: true });
  expect(await listed('bob', { fromId, pageSize: 2 })).toEqual(['cid 👍', 'ann 👍']);
});

test('the same reaction of two calls at once counts once', async () => {
  const users = ['ann', 'cid', 'dan', 'eve'];
  const calls = Array.from({ length: 24 }, (_, index) => {
    const userId = users[index % 4]!;
    return react(service, target, userId, index % 8 < 4 ? '👍' : '🎉');
  });
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['done']));
  const [shown] = await seenBy('bob');
  expect(shown!.map((one) => one.split(' ').slice(0, 2).join(' ')).sort()).toEqual(['🎉 4', '👍 4'].sort());
});

test('a deletion by a process of the release before takes the reactions along', async () => {
  const { appId } = room;
  expect(await react(service, target, 'ann', '👍')).toBe('done');
  const text = `update message set body = '', deleted_at = clock_timestamp() where app_id = $1 and id = $2`;
  expect(await service.ctx.db.execute({ text, values: [appId, message.id] })).toBe(1);
  const left =
    'select from reaction where app_id = $1 union all select from reaction_count where app_id = $1';
  expect(await service.ctx.db.query({ text: left, values: [appId] })).toEqual([]);
});
