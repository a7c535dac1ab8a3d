import { randomUUID } from 'node:crypto';
import { createDatabase } from '@parley/kit/postgres';
import { recordLeases } from '@parley/kit/testing/leases';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { until } from '@parley/testing';
import { createRoom, draft, send, sendAll, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

describe('erasures', () => {
  let service: TestMessaging;

  beforeEach(async () => {
    service = await startMessaging();
  });
  afterEach(() => service.stop());

  const db = () => service.ctx.db;
  const erase = (appId: string, userId: string, ago = '0 hours') =>
    db().execute({
      text: 'insert into erasure (app_id, user_id, requested_at) values ($1, $2, now() - $3::interval)',
      values: [appId, userId, ago],
    });
  const isErased = (appId: string, userId: string) =>
    until(
      async () => {
        const text = 'select from erasure where app_id = $1 and user_id = $2';
        return (await db().execute({ text, values: [appId, userId] })) === 0 || undefined;
      },
      { withinMs: 30_000, what: `${userId} is erased` },
    );
  /** The number of a sender's messages that still have a body. */
  const countFull = (room: Room, senderId: string) =>
    db().execute({
      text: `select from message where app_id = $1 and conversation_id = $2 and sender_id = $3 and body <> ''`,
      values: [room.appId, room.conversationId, senderId],
    });
  /** Inserts messages of a sender at the end of a conversation, without the rules of sends. */
  const fill = async ({ appId, conversationId }: Room, senderId: string, count: number) => {
    const values = [appId, conversationId, senderId, count];
    await db().execute({
      text: `
        insert into message (app_id, conversation_id, position, id, sender_id, sent_at, body)
        select c.app_id, c.id, c.head + n, gen_random_uuid(), $3, now(), 'x'
        from conversation c, generate_series(1, $4::int) as n where c.app_id = $1 and c.id = $2`,
      values,
    });
    await db().execute({
      text: 'update conversation set head = head + $3 where app_id = $1 and id = $2',
      values: [appId, conversationId, count],
    });
  };

  test('of a quiet application wait for one step of a busy one', async () => {
    const leases = await recordLeases(db(), 'erasure');
    const room = await createRoom(service, ['ann', 'bob']);
    await send(service, room, 'ann');
    const busy = randomUUID();
    await db().execute({
      text: `
        insert into erasure (app_id, user_id, requested_at)
        select $1::uuid, 'user-' || n, now() - interval '1 hour' from generate_series(1, 50) as n
        union all select $2::uuid, 'ann', now()`,
      values: [busy, room.appId],
    });
    await isErased(room.appId, 'ann');
    await isErased(busy, 'user-50');
    expect(await countFull(room, 'ann')).toBe(0);
    await leases.expectTurn(room.appId, busy);
  }, 60_000);

  test('empty every message of a large conversation, deleted or not, and no other sender’s', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    await sendAll(
      service,
      Array.from({ length: 45 }, () => draft(room, 'ann')),
    );
    await send(service, room, 'bob');
    const deleted = await createRoom(service, ['ann', 'bob'], room.appId);
    await fill(deleted, 'ann', 12_500);
    await fill(deleted, 'bob', 10);
    await service.messaging.deleteConversation({ appId: room.appId, id: deleted.conversationId });
    const leases = await recordLeases(db(), 'erasure');
    await erase(room.appId, 'ann');
    await isErased(room.appId, 'ann');
    expect([await countFull(room, 'ann'), await countFull(room, 'bob')]).toEqual([0, 1]);
    expect([await countFull(deleted, 'ann'), await countFull(deleted, 'bob')]).toEqual([0, 10]);
    // Three steps for each conversation, and one that finds nothing left.
    expect((await leases.of(room.appId)).length).toBeGreaterThanOrEqual(7);
  }, 60_000);

  test('of other applications go on while a deleted conversation of 100,000 messages is erased', async () => {
    const large = await createRoom(service, ['ann', 'bob']);
    for (let filled = 0; filled < 100_000; filled += 20_000) await fill(large, 'ann', 20_000);
    await service.messaging.deleteConversation({ appId: large.appId, id: large.conversationId });
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const room = await createRoom(service, ['ann', 'bob']);
        await send(service, room, 'ann');
        return room;
      }),
    );
    await erase(large.appId, 'ann', '1 hour');
    for (const room of others) await erase(room.appId, 'ann');
    for (const room of others) await isErased(room.appId, 'ann');
    expect(await Promise.all(others.map((room) => countFull(room, 'ann')))).toEqual([0, 0, 0, 0, 0]);
    expect(await countFull(large, 'ann')).toBeGreaterThan(0);
    await isErased(large.appId, 'ann');
    expect(await countFull(large, 'ann')).toBe(0);
  }, 120_000);

  test('of a bot visit only the conversations that it sent to', async () => {
    const { appId } = await createRoom(service, ['ann', 'bob']);
    const rooms = await Promise.all(
      Array.from({ length: 12 }, () => createRoom(service, ['ann', 'bob'], appId)),
    );
    for (const room of rooms.slice(0, 2)) await send(service, room, 'bot', { byServer: true });
    const leases = await recordLeases(db(), 'erasure');
    await erase(appId, 'bot');
    await isErased(appId, 'bot');
    expect(await Promise.all(rooms.map((room) => countFull(room, 'bot')))).toEqual(rooms.map(() => 0));
    // One step for each conversation, and one that finds no other.
    expect(await leases.of(appId)).toHaveLength(3);
  }, 60_000);

  test('end although a conversation gets messages all the time', async () => {
    const busy = await createRoom(service, ['ann', 'bob']);
    const later = await createRoom(service, ['ann', 'bob'], busy.appId);
    for (const room of [busy, later]) await send(service, room, 'ann');
    const over = new AbortController();
    const { databaseUrl: url } = service.ctx.config;
    const applicationName = 'senders';
    // A database that runs no transaction twice: a rolled back first run would let the erasure in.
    const own = createDatabase({
      url,
      applicationName,
      poolSize: 2,
      log: service.ctx.log,
      cell: service.ctx.cell,
      lockTimeoutMs: 30_000,
    });
    const isWaitedFor = () =>
      until(
        async () => {
          const text = `
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          return over.signal.aborted || (await db().execute({ text })) >= 2 || undefined;
        },
        { withinMs: 30_000, what: 'the erasure and the other sender wait for the conversation' },
      );
    // One of the two always waits for the other, so that a message arrives between any two looks at the conversation.
    const sendSteadily = async () => {
      while (!over.signal.aborted) {
        await own.tx(async (tx) => {
          await tx.execute(STAYS_OPEN);
          const values = [busy.appId, busy.conversationId];
          await tx.execute({
            text: `
              with sent as (
                update conversation set head = head + 1 where app_id = $1 and id = $2 returning app_id, id, head
              )
              insert into message (app_id, conversation_id, position, id, sender_id, sent_at, body)
              select app_id, id, head, gen_random_uuid(), 'bob', now(), 'x' from sent`,
            values,
          });
          await isWaitedFor();
        }, HELD);
      }
    };
    const leases = await recordLeases(db(), 'erasure');
    const senders = [sendSteadily(), sendSteadily()];
    await erase(busy.appId, 'ann');
    await isErased(busy.appId, 'ann').finally(() => over.abort());
    await Promise.all(senders).finally(() => own.close());
    // One step for each conversation, one that finds no other, and a few more where a step waited too long for the
    // senders.
    expect((await leases.of(busy.appId)).length).toBeLessThanOrEqual(6);
    expect([await countFull(busy, 'ann'), await countFull(later, 'ann')]).toEqual([0, 0]);
    expect(await countFull(busy, 'bob')).toBeGreaterThan(0);
  }, 60_000);

  test('that fail are retried without delaying other users of the application', async () => {
    const broken = await createRoom(service, ['ann', 'bob']);
    await send(service, broken, 'ann');
    const whole = await createRoom(service, ['bob', 'cat'], broken.appId);
    await send(service, whole, 'bob');
    await db().execute({
      text: `create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    });
    await db().execute({
      text: `create trigger refuse before update on message for each row when (old.sender_id = 'ann')
        execute function refuse()`,
    });
    await erase(broken.appId, 'ann', '1 hour');
    await erase(broken.appId, 'bob');
    await isErased(broken.appId, 'bob');
    expect([await countFull(broken, 'ann'), await countFull(whole, 'bob')]).toEqual([1, 0]);
    await db().execute({ text: 'drop trigger refuse on message' });
    await isErased(broken.appId, 'ann');
    expect(await countFull(broken, 'ann')).toBe(0);
  }, 60_000);
});
