import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EditPartsRequestSchema } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createRoom, send, type Room } from '../support/actions.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

type Edit = NonNullable<MessageInitShape<typeof EditPartsRequestSchema>['edit']>;

let service: TestMessaging;
let room: Room;
let message: Message;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createRoom(service, ['ada', 'bob', 'cem']);
  message = await send(service, room, 'ada');
});

function text(body: string, id: string = randomUUID()) {
  return { id, mimeType: 'text/plain', body };
}
function add(body: string, id?: string): Edit {
  return { case: 'add', value: text(body, id) };
}
function edit(change: Edit, fields: { userId?: string; requestId?: string } = {}) {
  return service.parts.editParts({ appId: room.appId, messageId: message.id, edit: change, ...fields });
}
async function bodies(userId = 'bob') {
  const { message: found } = await service.messaging.getMessage({
    appId: room.appId,
    id: message.id,
    userId,
  });
  return found!.parts.map(({ body }) => body);
}

test('concurrent edits of one message lose nothing', async () => {
  const first = message.parts[0]!.id;
  const texts = Array.from({ length: 30 }, (_, index) => `part ${index}`);
  await Promise.all([
    ...texts.map((body) => edit(add(body))),
    ...['x', 'y', 'z'].map((body) => edit({ case: 'update', value: text(body, first) })),
  ]);
  const [changed, ...added] = await bodies();
  expect(['x', 'y', 'z']).toContain(changed);
  expect(added.toSorted()).toEqual(texts.toSorted());
});

test('the event of every edit shows which parts changed', async () => {
  const { message: before } = await edit(add('second'));
  const [one, two] = before!.parts.map(({ id }) => id);
  await edit({ case: 'replaceAll', value: { parts: [text('new'), text('other', two)] } });
  const { events } = await service.changeLog.listConversationEvents({
    appId: room.appId,
    conversationId: room.conversationId,
    firstSeq: 3,
    lastSeq: 4,
  });
  const changes = events.map(({ body }) => (body.case === 'messagePartsChanged' ? body.value : undefined));
  expect(changes[0]?.added.map(({ id }) => id)).toEqual([two]);
  expect(changes[1]).toMatchObject({ removedPartIds: [one], updated: [{ id: two, body: 'other' }] });
  expect(changes[1]?.message?.updatedAt).toBeGreaterThan(0);
});

test('only a server or the sender may edit', async () => {
  expect(await problemIn(edit(add('by the server')))).toBe('success');
  expect(await problemIn(edit(add('by ada'), { userId: 'ada' }))).toBe('success');
  expect(await problemIn(edit(add('by bob'), { userId: 'bob' }))).toBe('permission_denied');
  expect(await problemIn(edit(add('by eve'), { userId: 'eve' }))).toBe('not_found');
  expect(await bodies()).toEqual(['hello', 'by the server', 'by ada']);
});

test('a repeated call adds its part once', async () => {
  const change = add('once');
  const requestId = randomUUID();
  await Promise.all([edit(change, { requestId }), edit(change, { requestId }), edit(change, { requestId })]);
  expect(await bodies()).toEqual(['hello', 'once']);
  const { idInUse } = await edit(change, { requestId: randomUUID() });
  expect(idInUse?.body).toBe('once');
});

test('the last part cannot be removed', async () => {
  const [only] = message.parts;
  expect(await problemIn(edit({ case: 'remove', value: only!.id }))).toBe('invalid_operation');
  await edit(add('second'));
  await edit({ case: 'remove', value: only!.id });
  expect(await bodies()).toEqual(['second']);
  expect(await problemIn(edit({ case: 'remove', value: only!.id }))).toBe('not_found');
});

test('a deleted message has no parts to edit', async () => {
  await service.messaging.deleteMessage({ appId: room.appId, id: message.id });
  expect(await problemIn(edit(add('late')))).toBe('object_deleted');
  expect(await problemIn(edit(add('late'), { userId: 'ada' }))).toBe('not_found');
});

test('a user who hid the message gets no event of its edits', async () => {
  const { appId } = room;
  await service.messaging.deleteMessage({
    appId,
    id: message.id,
    userId: 'cem',
    mode: DeletionMode.MY_DEVICES,
  });
  await edit(add('not for cem'));
  const seen = await service.changeLog.listConversationEvents({ ...room, firstSeq: 4, lastSeq: 4 });
  expect(seen.events[0]?.body.value).toMatchObject({ hiddenFrom: ['cem'] });
});
