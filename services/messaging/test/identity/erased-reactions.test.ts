import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { MessageReactionSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { until } from '@parley/testing';
import { createRoom, send, type Room } from '../support/actions.ts';
import { hearPushes, react, shownReactions } from '../support/reactions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cid']);
  await identify('cid', 1);
});

function identify(userId: string, version: number, incarnation = 0) {
  const { appId } = room;
  const identities = [{ appId, userId, version, incarnation, displayName: userId }];
  return service.copies.applyIdentities({ appId, identities });
}

/** Erases cid, and waits until it is done. */
async function erase(version = 5): Promise<void> {
  const { appId } = room;
  const identity = { appId, userId: 'cid', version, incarnation: version, deleted: true };
  await service.copies.applyErasure({ identity });
  await untilErased();
}

async function untilErased(): Promise<void> {
  await until(
    async () => {
      const text = 'select from erasure where app_id = $1';
      return (await service.ctx.db.execute({ text, values: [room.appId] })) === 0 || undefined;
    },
    { withinMs: 30_000, what: 'the erasure is done' },
  );
}

/** Erases cid, whose user id another person gets before the erasure begins. Returns a function that lets it begin, and waits for its end. */
async function replace(version = 5): Promise<() => Promise<void>> {
  const { appId, conversationId: id } = room;
  const db = service.ctx.db;
  await db.execute({
    text: `insert into erasure (app_id, user_id, version, due_at) values ($1, 'cid', $2, 'infinity')`,
    values: [appId, version],
  });
  const identity = { appId, userId: 'cid', version, incarnation: version, deleted: true };
  await service.copies.applyErasure({ identity });
  await identify('cid', version + 1, version);
  const operations = [{ step: { case: 'addParticipant' as const, value: 'cid' } }];
  await service.messaging.updateConversation({ appId, id, operations });
  return async () => {
    await db.execute({
      text: `update erasure set due_at = '-infinity' where app_id = $1`,
      values: [appId],
    });
    await untilErased();
  };
}

/** The users whom rows name, by table. */
async function named(): Promise<Record<string, string[]>> {
  const { appId } = room;
  const rows = await service.ctx.db.query<{ place: string; user_id: string }>({
    text: `
      select 'reaction' as place, user_id from reaction where app_id = $1
      union select 'recent', unnest(recent) from reaction_count where app_id = $1
      union select 'push', user_id from reaction_push where app_id = $1
      order by place, user_id`,
    values: [appId],
  });
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return Object.fromEntries([...byPlace].map(([place, some]) => [place, some.map((row) => row.user_id)]));
}

/** Restores a message of ann with reactions of bob and cid. */
async function restore(shadowed = false): Promise<void> {
  const model = await send(service, await createRoom(service, ['ann'], room.appId), 'ann');
  const message = {
    ...model,
    ...room,
    id: randomUUID(),
    position: 1,
    reactions: [create(MessageReactionSchema, { key: '👍', count: 2, userIds: ['bob', 'cid'] })],
    shadowed,
  };
  const messages = [{ message, recipients: [{ userId: 'bob' }] }];
  await service.channel.client(RestoreService).restoreMessages({ appId: room.appId, messages });
}

test('imported reactions of somebody who never took part end with their erasure', async () => {
  room = await createRoom(service, ['ann', 'bob'], room.appId);
  await restore();
  expect(await named()).toEqual({ reaction: ['bob', 'cid'], recent: ['bob', 'cid'] });
  await erase();
  expect(await named()).toEqual({ reaction: ['bob'], recent: ['bob'] });
});

test('a shadowed message is restored without reactions', async () => {
  await restore(true);
  expect(await named()).toEqual({});
});

test('an erasure ends, and deletes a reaction to a message that is gone', async () => {
  const message = await send(service, room, 'ann');
  for (const user of ['bob', 'cid'])
    await react(service, { appId: room.appId, messageId: message.id }, user, '👍');
  const values = [room.appId, room.conversationId];
  for (const table of ['reaction', 'reaction_count'])
    await service.ctx.db.execute({
      text: `update ${table} set position = 99 where app_id = $1 and conversation_id = $2`,
      values,
    });
  await erase();
  expect(await named()).toEqual({ reaction: ['bob'] });
});

test('in a deleted conversation no count names an erased person', async () => {
  const message = await send(service, room, 'ann');
  for (const user of ['bob', 'cid'])
    await react(service, { appId: room.appId, messageId: message.id }, user, '👍');
  const { appId, conversationId: id } = room;
  await service.ctx.db.execute({
    text: 'update conversation set deleted_at = now() where app_id = $1 and id = $2',
    values: [appId, id],
  });
  await erase();
  expect(await named()).toEqual({ reaction: ['bob'] });
});

test('reactions of an erased person do not count among those of the next one with the user id', async () => {
  const message = await send(service, room, 'ann');
  const target = { appId: room.appId, messageId: message.id };
  const keys = Array.from({ length: 11 }, (_, n) => `key${n}`);
  for (const key of keys.slice(0, 10)) expect(await react(service, target, 'cid', key)).toBe('done');
  const finish = await replace();
  for (const key of keys.slice(1, 11)) expect(await react(service, target, 'cid', key)).toBe('done');
  expect(await react(service, target, 'cid', 'more')).toBe('invalid_operation: reactions');
  expect(await react(service, target, 'cid', keys[0]!, { replace: true })).toBe('done');
  expect(await named()).toMatchObject({ recent: ['cid'] });
  await finish();
  const { message: shown } = await service.messaging.getMessage({ ...room, id: message.id, userId: 'cid' });
  expect(shownReactions(shown)).toEqual([`${keys[0]} 1 cid own`]);
});

test('a reaction of the next person with the user id is pushed once, whenever the erasure ends', async () => {
  const message = await send(service, room, 'ann');
  const target = { appId: room.appId, messageId: message.id };
  const options = { notification: { text: 'likes it' } };
  const reactOften = async () => {
    for (const key of ['👍', '🎉']) expect(await react(service, target, 'cid', key, options)).toBe('done');
  };
  const heard = await hearPushes(service, room.appId);
  await reactOften();
  const finish = await replace();
  await reactOften();
  await finish();
  for (const key of ['👍', '🎉']) await react(service, target, 'cid', key, { remove: true });
  await reactOften();
  await react(service, target, 'bob', '👍', options);
  expect((await heard.changesWith(3)).flat().sort()).toEqual(['bob 👍', 'cid 👍', 'cid 👍']);
});
