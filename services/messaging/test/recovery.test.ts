import { randomUUID } from 'node:crypto';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { ContentMessage } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { startNats, type TestNats } from '@parley/testing';
import { createRoom, send } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let nats: TestNats;
let service: TestMessaging;

// The stream is emptied, so this service gets a NATS server of its own.
beforeAll(async () => {
  nats = await startNats();
  service = await startMessaging({ natsUrl: nats.url });
});
afterAll(async () => {
  await service?.stop();
  await nats?.stop();
});

function partWith(contentId: string) {
  return { id: randomUUID(), mimeType: 'image/png', content: { id: contentId, size: 5 } };
}

/** Reads the pages of the change log from a time on. */
async function listContent(since: number): Promise<ContentMessage[]> {
  const found: ContentMessage[] = [];
  let after = {};
  for (;;) {
    const { messages, last } = await service.recovery.listContentMessages({ since, ...after });
    found.push(...messages);
    if (!last) return found;
    after = { afterAppId: last.appId, afterConversationId: last.conversationId, afterSeq: last.seq };
  }
}

test('messages with content are listed that were sent since a time and are not deleted', async () => {
  const room = await createRoom(service, ['ada', 'bob']);
  const since = Date.now() - 1_000;
  const [content, gone] = [randomUUID(), randomUUID()];
  const sent = await send(service, room, 'ada', { parts: [partWith(content), partWith(content)] });
  const deleted = await send(service, room, 'bob', { parts: [partWith(gone)] });
  for (let count = 0; count < 120; count++) await send(service, room, 'bob');
  const mode = DeletionMode.ALL_PARTICIPANTS;
  await service.messaging.deleteMessage({ ...room, id: deleted.id, userId: 'bob', mode });
  const own = (await listContent(since)).filter(({ appId }) => appId === room.appId);
  const contents = [{ id: content, mimeType: 'image/png' }];
  const { appId, conversationId } = room;
  expect(own).toMatchObject([
    { appId, conversationId, id: sent.id, senderId: 'ada', contents: [...contents, ...contents] },
  ]);
  const ids = [sent.id, deleted.id, randomUUID()].map((id) => ({ appId, id }));
  const { messages } = await service.recovery.findContentMessages({ messages: ids });
  expect(messages.map(({ id }) => id)).toEqual([sent.id]);
});

test('conversations are told that are shorter than known elsewhere, or not there', async () => {
  const { appId, conversationId } = await createRoom(service, ['ada', 'bob']);
  const reach = (id: string, seq: number) => ({ appId, conversationId: id, seq });
  const unknown = randomUUID();
  const { conversations } = await service.recovery.listShorterConversations({
    conversations: [reach(conversationId, 1), reach(conversationId, 9), reach(unknown, 3)],
  });
  expect(conversations).toHaveLength(2);
  expect(conversations).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining(reach(conversationId, 1)),
      expect.objectContaining(reach(unknown, 0)),
    ]),
  );
});

test('copies of blocks say whether the block holds, with the incarnations of its users', async () => {
  const appId = randomUUID();
  const blocks = [
    { blockedUserId: 'bob', blocked: true, version: 7 },
    { blockedUserId: 'cid', blocked: false, version: 8 },
  ];
  await service.copies.applyBlocks({ appId, ownerUserId: 'ada', blocks });
  const { copies } = await service.recovery.listBlockCopies({});
  expect(copies.filter((copy) => copy.appId === appId)).toMatchObject([
    { ownerUserId: 'ada', blockedUserId: 'bob', active: true, version: 7, ownerIncarnation: 0 },
    { ownerUserId: 'ada', blockedUserId: 'cid', active: false, version: 8 },
  ]);
});

test('after its beginning replays from before are incomplete', async () => {
  const { appId, conversationId } = await createRoom(service, ['ada', 'bob']);
  const fromTimestamp = Date.now() - 1_000;
  const listed = () => service.changeLog.listUserEvents({ appId, userId: 'ada', fromTimestamp });
  expect((await listed()).complete).toBe(true);
  await service.recovery.beginRecovery({});
  expect((await listed()).complete).toBe(false);
  await send(service, { appId, conversationId }, 'ada');
});
