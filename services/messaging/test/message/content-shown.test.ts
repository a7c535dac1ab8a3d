import { randomUUID } from 'node:crypto';
import { problemIn } from '@parley/domain/testing/problems';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createRoom, draft, send, sendAll, type Room } from '../support/actions.ts';
import { remove } from '../support/patches.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

// docs/protocol/uploads.md#refresh-a-download-address

let service: TestMessaging;
let room: Room;
let contentId: string;

beforeAll(async () => void (service = await startMessaging()));
afterAll(() => service.stop());
beforeEach(async () => {
  contentId = randomUUID();
  room = await createRoom(service, ['ada', 'bob', 'cem']);
});

const withContent = (id = contentId) => ({
  id: randomUUID(),
  mimeType: 'image/png',
  content: { id, size: 5 },
});
const mentioning = () => ({ id: randomUUID(), mimeType: 'text/plain', body: `see ${contentId}` });

async function isShown(messageIds: readonly string[], userId = 'bob', appId = room.appId): Promise<boolean> {
  const { shown } = await service.messaging.isContentShown({
    ...{ appId, userId, contentId, messageIds: [...messageIds] },
  });
  // As the calls that it stands for: docs/decisions/content.md#refreshing-an-address
  expect(shown).toBe(await isShownOneByOne(messageIds, { userId, appId }));
  return shown;
}

async function isShownOneByOne(
  ids: readonly string[],
  as: { userId: string; appId: string },
): Promise<boolean> {
  const answers = ids.map(async (id) => {
    const found = service.messaging.getMessage({ ...as, id });
    if ((await problemIn(found)) !== 'success') return false;
    return (await found).message?.parts.some(({ content }) => content?.id === contentId) ?? false;
  });
  return (await Promise.all(answers)).includes(true);
}

test('participants who see a message with the content are shown it, nobody else is', async () => {
  const { id } = await send(service, room, 'ada', { parts: [withContent()] });
  expect(await isShown([id])).toBe(true);
  expect(await isShown([id], 'ada')).toBe(true);
  expect(await isShown([id], 'dan')).toBe(false);
  expect(await isShown([id], 'bob', randomUUID())).toBe(false);
  expect(await isShown([])).toBe(false);
  expect(await isShown(['no uuid', randomUUID()])).toBe(false);
});

test('a message that mentions the content, or has another one, does not show it', async () => {
  const { id } = await send(service, room, 'ada', { parts: [mentioning(), withContent(randomUUID())] });
  expect(await isShown([id])).toBe(false);
});

test('the one message of a hundred that shows it is found behind those that mention it', async () => {
  const parts = [mentioning()];
  const drafts = Array.from({ length: 99 }, () =>
    draft(room, 'ada', { id: `f${randomUUID().slice(1)}`, parts }),
  );
  const mentions = (await sendAll(service, drafts)).map(({ id }) => id);
  expect(await isShown(mentions)).toBe(false);
  const { id } = await send(service, room, 'ada', {
    id: `0${randomUUID().slice(1)}`,
    parts: [withContent()],
  });
  expect(await isShown([...mentions, id])).toBe(true);
});

test('a message that is deleted or hidden, or came after the user left, does not show it', async () => {
  const { id } = await send(service, room, 'ada', { parts: [withContent()] });
  const deletion = { appId: room.appId, id };
  await service.messaging.deleteMessage({ ...deletion, userId: 'cem', mode: DeletionMode.MY_DEVICES });
  expect(await isShown([id], 'cem')).toBe(false);
  await service.messaging.updateConversation({
    ...{ appId: room.appId, id: room.conversationId, userId: 'ada', operations: [remove('cem')] },
  });
  const { id: later } = await send(service, room, 'ada', { parts: [withContent()] });
  expect(await isShown([later], 'cem')).toBe(false);
  expect(await isShown([later])).toBe(true);
  await service.messaging.deleteMessage({ ...deletion, userId: 'ada', mode: DeletionMode.ALL_PARTICIPANTS });
  expect(await isShown([id])).toBe(false);
});

test('of an edited message the body counts that the user sees', async () => {
  const { id, parts } = await send(service, room, 'ada', { parts: [withContent(), mentioning()] });
  await service.messaging.updateConversation({
    ...{ appId: room.appId, id: room.conversationId, userId: 'ada', operations: [remove('cem')] },
  });
  await service.parts.editParts({
    ...{ appId: room.appId, messageId: id, edit: { case: 'remove', value: parts[0]?.id ?? '' } },
  });
  expect(await isShown([id])).toBe(false);
  expect(await isShown([id], 'cem')).toBe(true);
});

test('more messages than content names are refused', async () => {
  const messageIds = Array.from({ length: 101 }, () => randomUUID());
  const call = service.messaging.isContentShown({ appId: room.appId, userId: 'bob', contentId, messageIds });
  expect(await problemIn(call)).toBe('invalid_request');
});
