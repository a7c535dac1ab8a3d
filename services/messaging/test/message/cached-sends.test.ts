import { randomUUID } from 'node:crypto';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createRoom, draft, receipt, send, trySend, unreadCount, type Room } from '../support/actions.ts';
import { countAttempts, createCachedRoom, startReplicas, type Replicas } from '../support/cached-rooms.ts';
import { createHolder, type Holder } from '../support/hold.ts';
import type { TestMessaging } from '../support/service.ts';

let replicas: Replicas;
let first: TestMessaging;
let second: TestMessaging;
let holder: Holder;
beforeAll(async () => {
  replicas = await startReplicas();
  ({ first, second } = replicas);
  holder = createHolder(first);
});
afterEach(() => holder.releaseAll());
afterAll(async () => {
  await holder?.db.close();
  await replicas?.stop();
});

function patch(service: TestMessaging, room: Room, step: { case: string; value: unknown }) {
  const { appId, conversationId: id } = room;
  return service.messaging.updateConversation({ appId, id, operations: [{ step: step as never }] });
}

async function execute(text: string, values: unknown[]): Promise<void> {
  await first.ctx.db.execute({ text, values });
}

test('messages of cached senders are stored without a read, and receipts of the same replica update the cache', async () => {
  const room = await createCachedRoom(first);
  const counts = await countAttempts(first, async () => {
    for (const user of ['ann', 'bob', 'ann', 'ann']) {
      const { id } = await send(first, room, user);
      const reader = user === 'ann' ? 'bob' : 'ann';
      expect(await receipt(first, { appId: room.appId, userId: reader, messageId: id })).toBe('recorded');
    }
  });
  expect(counts).toEqual({ stored: 4, stale: 0 });
  expect(await unreadCount(first, room, 'cat')).toBe(6);
  // The other user's first message has no receipt.
  expect(await unreadCount(first, room, 'ann')).toBe(1);
  expect(await unreadCount(first, room, 'bob')).toBe(1);
});

test('messages are stored without a read after the same replica has added a participant, or marked all as read', async () => {
  const room = await createCachedRoom(first);
  const counts = await countAttempts(first, async () => {
    await patch(first, room, { case: 'addParticipant', value: 'dan' });
    expect((await send(first, room, 'ann')).position).toBe(3);
    await first.messaging.markAllRead({ ...room, userId: 'bob' });
    expect((await send(first, room, 'bob')).position).toBe(4);
  });
  expect(counts).toEqual({ stored: 2, stale: 0 });
  expect(await unreadCount(first, room, 'dan')).toBe(2);
  expect(await unreadCount(first, room, 'bob')).toBe(0);
});

test.each(['hideMessage', 'removeParticipant'] as const)(
  'after %s by the same replica the cache is not tried',
  async (change) => {
    const room = await createCachedRoom(first);
    const { appId, conversationId } = room;
    const { id } = await send(first, room, 'ann');
    await first.messaging.markAllRead({ ...room, userId: 'cat' });
    const counts = await countAttempts(first, async () => {
      if (change === 'removeParticipant') await patch(first, room, { case: change, value: 'bob' });
      else
        await first.messaging.deleteMessage({
          appId,
          conversationId,
          id,
          userId: 'cat',
          mode: DeletionMode.MY_DEVICES,
        });
      expect((await send(first, room, 'ann')).position).toBe(4);
    });
    expect(counts).toEqual({ stored: 0, stale: 0 });
  },
);

test('a message of a user whom another replica removed is refused', async () => {
  const room = await createCachedRoom(first);
  await patch(second, room, { case: 'removeParticipant', value: 'bob' });
  const counts = await countAttempts(first, async () => {
    expect(await trySend(first, draft(room, 'bob'))).toBe('access_denied');
    // The stale entry was dropped, so the second message is refused without an attempt from the cache.
    expect(await trySend(first, draft(room, 'bob'))).toBe('access_denied');
  });
  expect(counts).toEqual({ stored: 0, stale: 1 });
});

test('a message in a conversation that another replica deleted is refused', async () => {
  const room = await createCachedRoom(first);
  const { appId, conversationId: id } = room;
  await second.messaging.deleteConversation({ appId, id, mode: DeletionMode.ALL_PARTICIPANTS });
  expect(await trySend(first, draft(room, 'ann'))).toBe('not_found');
});

test('a message that follows one stored by another replica gets the next position', async () => {
  const room = await createCachedRoom(first);
  await send(second, room, 'cat');
  expect((await send(first, room, 'ann')).position).toBe(4);
  expect((await send(first, room, 'ann')).position).toBe(5);
});

test('a message is hidden from a participant who has blocked its sender meanwhile', async () => {
  const room = await createCachedRoom(first);
  await execute('insert into block_copy (app_id, owner_user_id, blocked_user_id) values ($1, $2, $3)', [
    room.appId,
    'cat',
    'ann',
  ]);
  const counts = await countAttempts(first, async () => {
    await send(first, room, 'ann');
    await send(first, room, 'ann');
  });
  expect(counts).toEqual({ stored: 0, stale: 1 });
  expect(await unreadCount(first, room, 'cat')).toBe(2);
});

test('a block by a user who does not take part changes nothing', async () => {
  const room = await createCachedRoom(first);
  await execute('insert into block_copy (app_id, owner_user_id, blocked_user_id) values ($1, $2, $3)', [
    room.appId,
    'dan',
    'ann',
  ]);
  expect(await countAttempts(first, () => send(first, room, 'ann'))).toEqual({ stored: 1, stale: 0 });
});

test('an id that is taken makes a message a duplicate, be it stored, in another conversation, or scheduled', async () => {
  const room = await createCachedRoom(first);
  const other = await createRoom(first, ['ann', 'dan'], room.appId);
  const { id } = await send(second, other, 'dan');
  expect(await trySend(first, draft(room, 'ann', { id }))).toBe('duplicate');
  const scheduled = draft(room, 'ann');
  await second.schedules.scheduleMessage({ draft: scheduled, delayMs: 60_000 });
  expect(await trySend(first, draft(room, 'ann', { id: scheduled.id }))).toBe('duplicate');
  expect((await send(first, room, 'ann')).position).toBe(3);
});

test('a repeated request finds its message', async () => {
  const room = await createCachedRoom(first);
  const item = draft(room, 'ann');
  expect(await trySend(first, item)).toBe('sent');
  expect(await trySend(first, item)).toBe('sent');
  expect((await send(first, room, 'ann')).position).toBe(4);
});

test('a message shows the name that its sender has got meanwhile', async () => {
  const room = await createCachedRoom(first);
  const identity = { appId: room.appId, userId: 'ann', displayName: 'Annabel', version: 7 };
  await second.copies.applyIdentities({ appId: room.appId, identities: [identity] });
  expect((await send(first, room, 'ann')).sender?.displayName).toBe('Annabel');
});

test('an erased user cannot send, and the cached state of other senders stays correct', async () => {
  const room = await createCachedRoom(first);
  const identity = { appId: room.appId, userId: 'ann', deleted: true, version: 9, incarnation: 9 };
  await second.copies.applyErasure({ identity });
  const item = draft(room, 'ann', { senderIncarnation: 0 });
  expect(await trySend(first, item)).toBe('access_denied');
  expect((await send(first, room, 'bob')).position).toBe(3);
});

test('receipts and marks of another replica are not overwritten', async () => {
  const room = await createCachedRoom(first);
  const { id } = await send(first, room, 'bob');
  expect(await receipt(second, { appId: room.appId, userId: 'ann', messageId: id })).toBe('recorded');
  await send(first, room, 'bob');
  await second.messaging.markAllRead({ ...room, userId: 'ann' });
  await send(first, room, 'ann');
  expect(await unreadCount(first, room, 'ann')).toBe(0);
});

test('a receipt does not renew the cached senders of a conversation that another replica has changed', async () => {
  const room = await createCachedRoom(first);
  const { id: ofAnn } = await send(first, room, 'ann');
  const { id: ofBob } = await send(first, room, 'bob');
  expect(await receipt(second, { appId: room.appId, userId: 'ann', messageId: ofBob })).toBe('recorded');
  expect(await receipt(first, { appId: room.appId, userId: 'bob', messageId: ofAnn })).toBe('recorded');
  await send(first, room, 'ann');
  expect(await unreadCount(first, room, 'ann')).toBe(1);
});

test('a mark-all-read that moves only the watermark is not overwritten by a later message', async () => {
  const room = await createCachedRoom(first);
  await first.messaging.markAllRead({ ...room, userId: 'ann' });
  // The only message that ann has not read is deleted: marking moves her watermark and is no change.
  const { id } = await send(first, room, 'bob');
  await first.messaging.deleteMessage({
    appId: room.appId,
    id,
    userId: 'bob',
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  await send(first, room, 'ann');
  const watermark = () =>
    first.ctx.db.query<{ read_until: number }>({
      text: `select read_until from participant where app_id = $1 and conversation_id = $2 and user_id = 'ann'`,
      values: [room.appId, room.conversationId],
    });
  await second.messaging.markAllRead({ ...room, userId: 'ann' });
  await send(first, room, 'ann');
  expect(await watermark()).toEqual([{ read_until: 5 }]);
});

test('after a service registers for events, events are stored', async () => {
  await execute('delete from event_interest', []);
  const room = await createCachedRoom(first);
  await second.interests.registerEventInterest({ appId: room.appId, consumer: 'webhook', since: Date.now() });
  const counts = await countAttempts(first, async () => {
    await send(first, room, 'ann');
    await send(first, room, 'ann');
  });
  expect(counts).toEqual({ stored: 1, stale: 1 });
});

test('messages of a held conversation wait, and those of others are stored', async () => {
  const [held, free] = [await createCachedRoom(first), await createCachedRoom(first)];
  const release = await holder.hold([held]);
  const { results } = await first.messaging.sendMessages({
    items: [draft(held, 'ann'), draft(free, 'ann')],
    waitMs: 0,
  });
  expect(results.map(({ outcome }) => outcome.case)).toEqual(['contended', 'sent']);
  await release();
  expect((await send(first, held, 'ann')).position).toBe(3);
});

test('a batch of cached and other conversations is stored partly from the cache and partly after a read', async () => {
  const room = await createCachedRoom(first);
  const unknown = await createRoom(first, ['ann', 'bob'], room.appId);
  const { results } = await first.messaging.sendMessages({
    items: [
      draft(unknown, 'ann'),
      draft(room, 'bob'),
      draft(room, 'ann'),
      draft({ ...room, conversationId: randomUUID() }, 'ann'),
    ],
  });
  const positions = results.map(({ outcome }) =>
    outcome.case === 'sent' ? outcome.value.message?.position : outcome.case,
  );
  expect(positions).toEqual([1, 3, 4, 'problem']);
});

test('a repeated id within a batch is stored once', async () => {
  const room = await createCachedRoom(first);
  const item = draft(room, 'ann');
  const { results } = await first.messaging.sendMessages({
    items: [item, { ...item, requestId: randomUUID() }, draft(room, 'bob')],
  });
  expect(results.map(({ outcome }) => outcome.case)).toEqual(['sent', 'duplicate', 'sent']);
});

test('unread counts stay exact across the border of a bitmap for senders who have not read everything', async () => {
  const room = await createRoom(first, ['ann', 'bob', 'cat']);
  await send(first, room, 'bob');
  for (let sent = 0; sent < 6; sent++) {
    const items = Array.from({ length: 50 }, (_, index) => draft(room, index % 2 === 0 ? 'ann' : 'bob'));
    await first.messaging.sendMessages({ items });
  }
  expect(await unreadCount(first, room, 'ann')).toBe(151);
  expect(await unreadCount(first, room, 'bob')).toBe(150);
  expect(await unreadCount(first, room, 'cat')).toBe(301);
});
