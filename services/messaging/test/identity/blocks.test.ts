import { randomUUID } from 'node:crypto';
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { EventBatchSchema, type EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { listBlockers, lockBlockCopies } from '../../src/sql/identity/block-copy.ts';
import { createRoom, draft, sendAll } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';

let nats: TestNats;
let service: TestMessaging;
const appId = randomUUID();

// Consumers of the same durable name share events, so this service gets a NATS server of its own.
beforeAll(async () => {
  nats = await startNats();
  service = await startMessaging({ natsUrl: nats.url });
});
afterAll(async () => {
  await service?.stop();
  await nats?.stop();
});

type Pair = { owner: string; blocked: string };

function apply({ owner, blocked }: Pair, version: number, isBlocked: boolean) {
  return service.copies.applyBlocks({
    appId,
    ownerUserId: owner,
    blocks: [{ blockedUserId: blocked, blocked: isBlocked, version }],
  });
}

async function isBlocked({ owner, blocked }: Pair): Promise<boolean> {
  const query = { appId, blockedUserId: blocked, userIds: [owner] };
  return (await listBlockers(service.ctx.db, query)).length > 0;
}

type Body = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

function blockChanged({ owner, blocked }: Pair, version: number, isBlockedNow: boolean): Body {
  return {
    case: 'blockChanged',
    value: { ownerUserId: owner, blockedUserId: blocked, blocked: isBlockedNow, version },
  };
}

async function publish(body: Body): Promise<void> {
  const batch = create(EventBatchSchema, { events: [{ id: randomUUID(), appId, body }] });
  const payload = toBinary(EventBatchSchema, batch);
  await service.ctx.bus.publish(`event.${appId}.identity.changed`, payload, { msgId: randomUUID() });
}

/** Resolves when all of these events are handled; they are handled in order. */
async function handle(...bodies: Body[]): Promise<void> {
  const mark = { owner: `mark-${randomUUID()}`, blocked: 'mark' };
  for (const body of [...bodies, blockChanged(mark, 1, true)]) await publish(body);
  await until(async () => (await isBlocked(mark)) || undefined, {
    withinMs: 10_000,
    what: 'the events are handled',
  });
}

test('a message whose send begins after a block was applied is hidden, among many concurrent senders', async () => {
  const pair = { owner: 'ann', blocked: 'bob' };
  const rooms = await Promise.all(
    Array.from({ length: 6 }, () => createRoom(service, ['ann', 'bob', 'cid'], appId)),
  );
  let applied = true;
  let version = 0;
  const late: { id: string; conversationId: string }[] = [];
  for (let round = 0; round < 8; round++) {
    applied = false;
    const lateBefore = late.length;
    const sender = async (room: (typeof rooms)[number]): Promise<void> => {
      for (let after = 0; after < 4;) {
        const item = draft(room, 'bob');
        if (applied) {
          after += 1;
          late.push(item);
        }
        await sendAll(service, [item]);
      }
    };
    const senders = rooms.map(sender);
    await apply(pair, ++version, true);
    applied = true;
    await Promise.all(senders);
    expect(late.length).toBe(lateBefore + 4 * rooms.length);
    await apply(pair, ++version, false);
  }
  for (const room of rooms) {
    const { messages } = await service.messaging.listMessages({ ...room, userId: 'ann', pageSize: 100 });
    const seen = new Set(messages.map(({ id }) => id));
    expect(late.filter(({ id }) => seen.has(id))).toEqual([]);
    const [message] = await sendAll(service, [draft(room, 'bob')]);
    const { message: shown } = await service.messaging.getMessage({ appId, id: message!.id, userId: 'ann' });
    expect(shown?.id).toBe(message!.id);
  }
}, 60_000);

test('calls and events apply the same versions in any order, and repeatedly', async () => {
  const pair = { owner: 'dan', blocked: 'eve' };
  await apply(pair, 6, false);
  await handle(blockChanged(pair, 5, true));
  expect(await isBlocked(pair)).toBe(false);
  await handle(blockChanged(pair, 8, true), blockChanged(pair, 8, true));
  await apply(pair, 7, false);
  await apply(pair, 8, true);
  expect(await isBlocked(pair)).toBe(true);
  await Promise.all([apply(pair, 9, false), apply(pair, 9, false), apply(pair, 8, true)]);
  await handle(blockChanged(pair, 8, true), blockChanged(pair, 9, false));
  expect(await isBlocked(pair)).toBe(false);
});

test('a call takes effect with its answer, even while events of earlier changes arrive', async () => {
  const pair = { owner: 'kim', blocked: 'lee' };
  const wrong: number[] = [];
  for (let version = 1; version <= 200; version++) {
    const isBlockedNow = version % 2 === 1;
    void publish(blockChanged(pair, version, isBlockedNow));
    await apply(pair, version, isBlockedNow);
    for (let look = 0; look < 3; look++) if ((await isBlocked(pair)) !== isBlockedNow) wrong.push(version);
  }
  expect(wrong).toEqual([]);
});

test('an erasure ends earlier blocks; late events neither revive one nor end a later one', async () => {
  const known = { owner: 'fox', blocked: 'gus' };
  const reverse = { owner: 'gus', blocked: 'fox' };
  const late = { owner: 'hal', blocked: 'gus' };
  const erased: Body = { case: 'userErased', value: { userId: 'gus', blocksUntil: 20 } };
  await apply(known, 11, true);
  await apply(reverse, 12, true);
  await handle(erased);
  expect([await isBlocked(known), await isBlocked(reverse)]).toEqual([false, false]);
  await handle(blockChanged(known, 11, true), blockChanged(known, 15, true), blockChanged(late, 16, true));
  await apply(reverse, 17, true);
  expect([await isBlocked(known), await isBlocked(reverse), await isBlocked(late)]).toEqual([
    false,
    false,
    false,
  ]);
  await apply(known, 21, true);
  await handle(erased, blockChanged(late, 22, true));
  expect([await isBlocked(known), await isBlocked(late)]).toEqual([true, true]);
});

test('an erasure without a version, from an older identity service, ends all known blocks', async () => {
  const pair = { owner: 'ida', blocked: 'joe' };
  await apply(pair, 31, true);
  await handle({ case: 'userErased', value: { userId: 'joe' } });
  expect(await isBlocked(pair)).toBe(false);
  await handle(blockChanged(pair, 31, true));
  expect(await isBlocked(pair)).toBe(false);
});

test('the blocks of a user with many of them end in bounded steps, and newer ones stay', async () => {
  const { db } = service.ctx;
  for (const [blocked, owner] of [
    [`'max'`, `'owner ' || n`],
    [`'blocked ' || n`, `'max'`],
  ] as const) {
    for (const table of ['block_version', 'block_copy'] as const) {
      await db.execute({
        text: `
          insert into ${table} (app_id, blocked_user_id, owner_user_id, version)
          select $1::uuid, ${blocked}, ${owner}, 40 from generate_series(1, 1200) as n`,
        values: [appId],
      });
    }
  }
  await db.execute({
    text: `
      create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > 500 then raise exception 'too many at once'; end if;
        return null;
      end $$`,
  });
  await db.execute({
    text: `
      create trigger refuse_many after delete on block_copy referencing old table as gone
      for each statement execute function refuse_many()`,
  });
  const newer = { owner: 'owner 7', blocked: 'max' };
  await apply(newer, 60, true);
  await handle({ case: 'userErased', value: { userId: 'max', blocksUntil: 50 } });
  const text = `select from block_copy where app_id = $1 and 'max' in (blocked_user_id, owner_user_id)`;
  await until(async () => (await db.execute({ text, values: [appId] })) <= 1 || undefined, {
    withinMs: 30_000,
    what: 'the blocks are over',
  });
  expect(await isBlocked(newer)).toBe(true);
}, 60_000);

test('blocks of one application are applied while users of another one are being erased', async () => {
  const blocks = [{ blockedUserId: 'eve', blocked: true, version: 1 }];
  await service.ctx.db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await lockBlockCopies(tx, { erased: [randomUUID()] });
    await service.copies.applyBlocks({ appId: randomUUID(), ownerUserId: 'ada', blocks });
  }, HELD);
});
