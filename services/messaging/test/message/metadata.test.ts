import { randomUUID } from 'node:crypto';
import { toValue } from '@parley/domain/metadata/patch';
import { problemIn } from '@parley/domain/testing/problems';
import type { JsonValue } from '@bufbuild/protobuf';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { createRoom, send, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let room: Room;
let message: Message;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cid']);
  message = await send(service, room, 'bob', { metadata: '{"kind":"system","order":{"number":1.5}}' });
});

function patch(userId: string, path: string[], value?: JsonValue) {
  const step =
    value === undefined
      ? { case: 'deleteMetadata' as const, value: { path } }
      : { case: 'setMetadata' as const, value: { path, value: toValue(value) } };
  const { appId } = room;
  return problemIn(
    service.parts.updateMessage({ appId, messageId: message.id, userId, operations: [{ step }] }),
  );
}

async function read(userId: string): Promise<Message> {
  const { appId } = room;
  return (await service.messaging.getMessage({ appId, id: message.id, userId })).message!;
}

async function metadataOf(userId: string): Promise<unknown> {
  const { metadata } = await read(userId);
  return metadata === '' ? undefined : JSON.parse(metadata);
}

async function replayed(userId: string) {
  const { appId } = room;
  const { events } = await service.changeLog.listUserEvents({ appId, userId, fromTimestamp: 0 });
  return events.flatMap(({ body }) => (body.case === 'messageUpdated' ? [body.value] : []));
}

test('the sender and servers change metadata, which sets no time and keeps the parts', async () => {
  expect(message.metadata).toBe('{"kind":"system","order":{"number":1.5}}');
  expect(await patch('bob', ['order', 'paid'], true)).toBe('success');
  expect(await patch('', ['kind'])).toBe('success');
  const shown = await read('ann');
  expect(JSON.parse(shown.metadata)).toEqual({ order: { number: 1.5, paid: true } });
  expect(shown.updatedAt).toBeUndefined();
  expect(shown.parts).toEqual(message.parts);
});

test('nobody else changes them, and a message that is not seen does not exist', async () => {
  expect(await patch('ann', ['a'], 'b')).toBe('access_denied');
  expect(await patch('stranger', ['a'], 'b')).toBe('not_found');
  const step = { step: { case: 'removeParticipant' as const, value: 'bob' } };
  await service.messaging.updateConversation({
    appId: room.appId,
    id: room.conversationId,
    operations: [step],
  });
  expect(await patch('bob', ['a'], 'b')).toBe('access_denied');
});

test('metadata are as large as they may be, and never larger after a step', async () => {
  expect(await patch('bob', ['big'], 'x'.repeat(4000))).toBe('success');
  expect(await patch('bob', ['more'], 'x'.repeat(100))).toBe('invalid_property: metadata');
  expect(await patch('bob', [])).toBe('success');
  expect(await metadataOf('ann')).toBeUndefined();
});

test('a replay has one step with the metadata of now', async () => {
  await patch('bob', ['a'], 1);
  await patch('bob', ['b'], 2);
  const all = await replayed('ann');
  expect(all).toHaveLength(2);
  for (const { operations } of all)
    expect(operations).toMatchObject([{ step: { case: 'setMetadata', value: { path: [] } } }]);
  await patch('bob', []);
  expect((await replayed('ann')).at(-1)!.operations).toMatchObject([{ step: { case: 'deleteMetadata' } }]);
});

test('a change without effect is no change', async () => {
  await patch('bob', ['kind'], 'system');
  expect(await replayed('ann')).toEqual([]);
});

test('a change of a blocked sender is withheld, as an edit is', async () => {
  const blocks = [{ blockedUserId: 'bob', blocked: true, version: 1 }];
  await service.copies.applyBlocks({ appId: room.appId, ownerUserId: 'ann', blocks });
  expect(await patch('bob', ['secret'], randomUUID())).toBe('success');
  expect(await metadataOf('ann')).toEqual({ kind: 'system', order: { number: 1.5 } });
  expect(await metadataOf('cid')).toMatchObject({ secret: expect.any(String) });
  expect(await replayed('ann')).toEqual([]);
});

test('metadata patches at once lose none', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `key${index}`);
  expect(new Set(await Promise.all(names.map((name) => patch('bob', [name], true))))).toEqual(
    new Set(['success']),
  );
  expect(Object.keys((await metadataOf('ann')) as object)).toHaveLength(14);
});
