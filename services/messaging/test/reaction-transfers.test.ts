import { randomUUID } from 'node:crypto';
import { RecordReader } from '@parley/kit/postgres/record-reader';
import { RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { createRoom, send } from './support/actions.ts';
import { countsAndRecount, react, reactAll, shownReactions } from './support/reactions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

test('an export has all who reacted, and a restored message has their reactions', async () => {
  const room = await createRoom(service, ['ann', 'bob', 'cid', 'dan', 'eve']);
  const { appId } = room;
  await send(service, room, 'ann');
  const message = await send(service, room, 'ann');
  const target = { appId, messageId: message.id };
  for (const user of ['bob', 'ann', 'eve', 'dan']) await react(service, target, user, '👍');
  await react(service, target, 'cid', 'tada');
  await react(service, target, 'bob', '👍', { remove: true });
  const cutId = randomUUID();
  await service.exports.fixCut({ appId, cutId });
  const exported = [];
  for await (const { spans } of service.exports.exportMessages({ appId, cutId })) exported.push(...spans);
  expect(exported.flatMap(({ reactions }) => reactions)).toMatchObject([
    {
      position: 2,
      reactions: [
        { key: '👍', count: 3, recent: ['dan', 'eve', 'ann'], userIds: ['ann', 'eve', 'dan'] },
        { key: 'tada', count: 1, userIds: ['cid'] },
      ],
    },
  ]);
  expect(new RecordReader(exported[0]!.rows).next()).toBe(true);

  const other = await createRoom(service, ['ann', 'bob', 'cid', 'dan', 'eve']);
  const restored = {
    ...message,
    appId: other.appId,
    conversationId: other.conversationId,
    id: randomUUID(),
    position: 1,
    metadata: '{"a":1}',
    reactions: exported[0]!.reactions[0]!.reactions,
  };
  const restore = service.channel.client(RestoreService);
  for (let n = 0; n < 2; n++)
    await restore.restoreMessages({
      appId: other.appId,
      messages: [{ message: restored, recipients: [{ userId: 'bob' }] }],
    });
  const read = await service.messaging.getMessage({ appId: other.appId, id: restored.id, userId: 'ann' });
  expect(shownReactions(read.message)).toEqual(['👍 3 dan,eve,ann own', 'tada 1 cid']);
  expect(read.message?.metadata).toBe('{"a":1}');
  const [counts, recount] = await countsAndRecount(service, other.appId);
  expect(counts).toEqual(recount);
  const again = { appId: other.appId, messageId: restored.id };
  expect(await react(service, again, 'ann', '👍', { remove: true })).toBe('done');
});

test('pages of an export are bounded by the reactions in them', async () => {
  const users = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(60, 'u'));
  const keys = Array.from({ length: 10 }, (_, n) => `${n}`.padStart(64, 'k'));
  const room = await createRoom(service, users);
  const { appId } = room;
  for (let n = 0; n < 4; n++) {
    const { id: messageId } = await send(service, room, users[0]!);
    const items = users.flatMap((userId) => keys.map((key) => ({ appId, messageId, userId, key })));
    expect(new Set(await reactAll(service, items))).toEqual(new Set(['done']));
  }
  const cutId = randomUUID();
  await service.exports.fixCut({ appId, cutId });
  const pages: number[][] = [];
  for await (const { spans } of service.exports.exportMessages({ appId, cutId }))
    pages.push(spans.flatMap(({ reactions }) => reactions.map(({ position }) => position)));
  // Each message has 28 kB of reactions; the one that reaches 56 KiB ends a page.
  expect(pages).toEqual([[1, 2, 3], [4]]);
});
