import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { lockConversations } from '../../src/sql/conversation/conversation.ts';
import { isCacheCurrent } from '../../src/sql/message/cached-send.ts';
import { createRoom, draft, send, unreadCount } from '../support/actions.ts';
import { countAttempts, createCachedRoom, startReplicas, type Replicas } from '../support/cached-rooms.ts';
import type { TestMessaging } from '../support/service.ts';

let replicas: Replicas;
let first: TestMessaging;
let second: TestMessaging;
beforeAll(async () => {
  replicas = await startReplicas();
  ({ first, second } = replicas);
});
afterAll(() => replicas?.stop());

async function execute(text: string, values: unknown[]): Promise<void> {
  await first.ctx.db.execute({ text, values });
}

test('a lock alone does not make cached state current: the version is compared behind it', async () => {
  const room = await createCachedRoom(first);
  const { row } = first.ctx.conversationCache.find(room.appId, room.conversationId)!;
  await send(second, room, 'bob');
  const holds = await first.ctx.db.tx(async (tx) => {
    // As Postgres does where a conversation changes between the snapshot of the lock statement and its lock.
    await lockConversations(tx, [{ appId: room.appId, id: room.conversationId }]);
    const [answer] = await tx.query<{ holds: boolean }>(isCacheCurrent([row], []));
    return answer?.holds;
  });
  expect(holds).toBe(false);
});

test('a write from the cache that fails is done after a read', async () => {
  const room = await createCachedRoom(first);
  await execute('create sequence failures', []);
  // Both runs of the first transaction fail: tests run each transaction twice.
  await execute(
    `create function fail_twice() returns trigger language plpgsql as $$
      begin
        if nextval('failures') <= 2 then raise unique_violation; end if;
        return new;
      end $$`,
    [],
  );
  await execute(
    'create trigger fail_twice before insert on message for each row execute function fail_twice()',
    [],
  );
  try {
    expect(await countAttempts(first, () => send(first, room, 'ann'))).toEqual({ stored: 0, stale: 1 });
  } finally {
    await execute('drop trigger fail_twice on message', []);
  }
  expect((await send(first, room, 'ann')).position).toBe(4);
});

test('a watermark that the release before moved without a trace is not overwritten', async () => {
  const room = await createCachedRoom(first);
  await execute(
    `update participant set read_until = 2 where app_id = $1 and conversation_id = $2 and user_id = 'ann'`,
    [room.appId, room.conversationId],
  );
  expect(await countAttempts(first, () => send(first, room, 'ann'))).toEqual({ stored: 0, stale: 1 });
  expect(await unreadCount(first, room, 'ann')).toBe(0);
});

test('a mark-all-read that moves only the watermark makes the cached senders stale for every later update', async () => {
  const room = await createRoom(first, ['ann', 'bob', 'cat']);
  const { id } = await send(first, room, 'bob');
  for (let sent = 0; sent < 3; sent++)
    await first.messaging.sendMessages({ items: Array.from({ length: 200 }, () => draft(room, 'ann')) });
  await first.messaging.deleteMessage({
    appId: room.appId,
    id,
    userId: 'ann',
    mode: DeletionMode.MY_DEVICES,
  });
  await send(first, room, 'ann');
  await first.messaging.markAllRead({ ...room, userId: 'ann' });
  // A sender who is not cached: the conversation is read, and what is cached of the others must not be renewed.
  await send(first, room, 'cat');
  await send(first, room, 'ann');
  await first.messaging.markAllRead({ ...room, userId: 'ann' });
  await first.messaging.sendMessages({ items: Array.from({ length: 5 }, () => draft(room, 'bob')) });
  expect(await unreadCount(first, room, 'ann')).toBe(5);
});
