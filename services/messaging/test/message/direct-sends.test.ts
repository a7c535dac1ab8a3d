import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createTestClock } from '@parley/kit/runtime/clock';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createTestDatabase, SEAMS, startPostgresProxy, until, type PostgresProxy } from '@parley/testing';
import { LONE_SEND } from '../../src/sql/message/lone-send.ts';
import { createRoom, draft, listAll, receipt, send, trySend, type Room } from '../support/actions.ts';
import { countAttempts, createCachedRoom } from '../support/cached-rooms.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

// Two services, each with a database of its own: one stores cached messages directly, the other by transactions.

let direct: TestMessaging;
let reference: TestMessaging;
let behindProxy: TestMessaging;
let proxy: PostgresProxy;
beforeAll(async () => {
  // The clock is stopped, so that both store the same times.
  const clock = createTestClock(Date.now());
  direct = await startMessaging({ clock, isDirect: true });
  reference = await startMessaging({ clock });
  proxy = await startPostgresProxy(await createTestDatabase());
  behindProxy = await startMessaging({ isDirect: true, env: { PARLEY_DATABASE_URL: proxy.url } });
  for (const service of [direct, behindProxy]) await openDirectConnections(service);
});
afterAll(async () => {
  for (const service of [direct, reference, behindProxy]) await service?.stop();
  await proxy?.stop();
});

/** A room in which `ann`, who is cached, has read all messages. */
async function createReadRoom(service: TestMessaging): Promise<Room> {
  const room = await createRoom(service, USERS);
  await send(service, room, 'ann');
  service.ctx.conversationCache.noteAttempt(true);
  return room;
}

/** Sends until a message is stored by one statement. */
async function openDirectConnections(service: TestMessaging): Promise<void> {
  const room = await createReadRoom(service);
  await until(
    async () => {
      const before = service.ctx.sendDb.statements;
      await send(service, room, 'ann');
      return service.ctx.sendDb.statements - before === 1 || undefined;
    },
    { withinMs: 10_000, what: 'the direct connection is open' },
  );
}

const USERS = ['ann', 'bob', 'cat'];

type Action =
  | { kind: 'send'; users: string[] }
  | { kind: 'repeat' | 'taken'; user: string; back: number }
  | { kind: 'read' | 'hide' | 'delete'; user: string; back: number }
  | { kind: 'block'; isOn: boolean }
  | { kind: 'leave'; isOn: boolean };

const user = fc.constantFrom(...USERS);
const back = fc.integer({ min: 0, max: 5 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      users: fc.array(user, { minLength: 1, maxLength: 4 }),
    }),
  },
  fc.record({ kind: fc.constantFrom('repeat' as const, 'taken' as const), user, back }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'hide' as const, 'delete' as const),
      user,
      back,
    }),
  },
  fc.record({ kind: fc.constant('block' as const), isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('leave' as const), isOn: fc.boolean() }),
);

/** One of the two services with its room. `sent`: drafts, in the order in which they were sent. */
type Side = { service: TestMessaging; room: Room; sent: ReturnType<typeof draft>[]; steps: number };

/** Applies an action; returns what the service answered. */
async function act(side: Side, one: Action, ids: readonly string[]): Promise<unknown> {
  const { service, room, sent } = side;
  const { messaging } = service;
  side.steps += 1;
  if (one.kind === 'send') {
    const items = one.users.map((name, index) =>
      draft(room, name, { id: ids[index]!, requestId: ids[index]! }),
    );
    sent.push(...items);
    const answers = await Promise.all(items.map((item) => messaging.sendMessages({ items: [item] })));
    return answers.map(({ results }) => results.map(({ outcome }) => outcome.case));
  }
  if (one.kind === 'block') {
    const blocks = [{ blockedUserId: 'bob', blocked: one.isOn, version: side.steps }];
    await service.copies.applyBlocks({ appId: room.appId, ownerUserId: 'cat', blocks });
    return undefined;
  }
  if (one.kind === 'leave') {
    const step = {
      case: one.isOn ? ('removeParticipant' as const) : ('addParticipant' as const),
      value: 'bob',
    };
    const { appId, conversationId: id } = room;
    return messaging.updateConversation({ appId, id, operations: [{ step }] }).then(
      () => 'changed',
      (error: { code: unknown }) => error.code,
    );
  }
  const known = sent.at(-1 - (one.back % Math.max(1, sent.length)));
  if (!known) return undefined;
  if (one.kind === 'repeat') return trySend(service, known);
  if (one.kind === 'taken')
    return trySend(service, { ...draft(room, one.user), id: known.id, requestId: ids[0]! });
  const { appId } = room;
  if (one.kind === 'read') return receipt(service, { appId, userId: one.user, messageId: known.id });
  const mode = one.kind === 'hide' ? DeletionMode.MY_DEVICES : DeletionMode.ALL_PARTICIPANTS;
  return messaging.deleteMessage({ appId, id: known.id, userId: one.user, mode }).then(
    () => 'deleted',
    (error: { code: unknown }) => error.code,
  );
}

const TABLES: Record<string, string> = {
  message: 'position, id, request_id, sender_id, sent_at, low, deleted_at, incarnation',
  conversation: 'seq, head, members_seq, excluded_count, deleted_count, last_message_at',
  participant:
    'user_id, member, left_seq, left_head, read_until, delivered_until, hidden_until, covered_count, hidden_count, unlisted_at',
  participant_block: 'user_id, block, read, delivered, hidden, contrary',
  conversation_block: 'block, low, deleted',
  change: 'seq, only_user_ids, octet_length(event)',
};

/** All that the database has of the room. */
async function rowsOf({ service, room }: Side): Promise<unknown> {
  const tables = Object.entries(TABLES).map(async ([table, columns]) => {
    const key = table === 'conversation' ? 'id' : 'conversation_id';
    const rows = await service.ctx.db.query({
      text: `select ${columns} from ${table} where app_id = $1 and ${key} = $2 order by 1, 2`,
      values: [room.appId, room.conversationId],
    });
    return [table, rows];
  });
  return Object.fromEntries((await Promise.all(tables)) as [string, unknown][]);
}

async function createSide(service: TestMessaging, appId: string): Promise<Side> {
  const room = await createRoom(service, USERS, appId);
  for (const name of USERS)
    await send(service, room, name, { id: fixedIds[name]!, requestId: fixedIds[name]! });
  service.ctx.conversationCache.noteAttempt(true);
  return { service, room, sent: [], steps: 1 };
}

let fixedIds: Record<string, string> = {};

test('both ways answer the same and leave the same rows, whatever happens between the messages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const appId = randomUUID();
      fixedIds = Object.fromEntries(USERS.map((name) => [name, randomUUID()]));
      const sides = [await createSide(direct, appId), await createSide(reference, appId)] as const;
      for (const one of actions) {
        const ids = Array.from({ length: 4 }, () => randomUUID());
        const answers = [];
        for (const side of sides) answers.push(await act(side, one, ids));
        expect(answers[0]).toEqual(answers[1]);
      }
      expect(await rowsOf(sides[0])).toEqual(await rowsOf(sides[1]));
    }),
    { numRuns: 60 },
  );
}, 120_000);

test('a message of a cached sender who has read all is stored by one statement', async () => {
  const room = await createReadRoom(direct);
  const before = direct.ctx.sendDb.statements;
  const counts = await countAttempts(direct, () => send(direct, room, 'ann'));
  expect(counts).toEqual({ stored: 1, stale: 0 });
  expect(direct.ctx.sendDb.statements - before).toBe(1);
});

/** The events in the lean answers to drafts, and the live events that were published meanwhile, as hexadecimal digits. */
async function eventsOf(service: TestMessaging, room: Room, drafts: readonly ReturnType<typeof draft>[]) {
  const { bus } = service.ctx;
  const published = new Set<string>();
  const subject = `live.${room.appId}.*.event`;
  const subscription = bus.subscribeLive(subject, (payload) => void published.add(toHex(payload)));
  await bus.flush();
  const { results } = await service.messaging.sendMessages({ items: [...drafts], lean: true });
  await until(() => published.size > 0 || undefined, { withinMs: 10_000, what: 'the event' });
  subscription.close();
  const answered = results.map(({ outcome }) =>
    toHex(outcome.case === 'stored' ? outcome.value.event : NONE),
  );
  return { answered, published: [...published] };
}

const NONE = new Uint8Array();

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

test('the answer to a message that is stored alone has the bytes of its event', async () => {
  const room = await createReadRoom(direct);
  const { answered, published } = await eventsOf(direct, room, [draft(room, 'ann')]);
  expect(published).toEqual([expect.stringMatching(/^[0-9a-f]{100,}$/)]);
  expect(answered).toEqual(published);
});

test('answers to large messages, to several and to those that are not cached have no event', async () => {
  const room = await createReadRoom(direct);
  const large = {
    ...draft(room, 'ann'),
    parts: [{ id: randomUUID(), mimeType: 'text/plain', body: 'x'.repeat(5_000) }],
  };
  expect((await eventsOf(direct, room, [large])).answered).toEqual(['']);
  const two = [draft(room, 'ann'), draft(room, 'ann')];
  expect((await eventsOf(direct, room, two)).answered).toEqual(['', '']);
  expect((await eventsOf(direct, room, [draft(room, 'bob')])).answered).toEqual(['']);
});

test('messages of several cached senders at once are stored by two', async () => {
  const room = await createCachedRoom(direct);
  const before = direct.ctx.sendDb.statements;
  const items = ['ann', 'bob', 'ann'].map((name) => draft(room, name));
  const counts = await countAttempts(direct, () => direct.messaging.sendMessages({ items }));
  expect(counts).toEqual({ stored: 1, stale: 0 });
  expect(direct.ctx.sendDb.statements - before).toBe(2);
});

test('a write that fails is done after a read', async () => {
  const room = await createCachedRoom(direct);
  const execute = (text: string) => direct.ctx.db.execute({ text });
  await execute('create sequence failures');
  await execute(
    `create function fail_once() returns trigger language plpgsql as $$
      begin
        if nextval('failures') = 1 then raise unique_violation; end if;
        return new;
      end $$`,
  );
  await execute(
    'create trigger fail_once before insert on message for each row execute function fail_once()',
  );
  try {
    expect((await send(direct, room, 'ann')).position).toBe(3);
  } finally {
    await execute('drop trigger fail_once on message');
  }
  expect((await send(direct, room, 'ann')).position).toBe(4);
});

test.each(SEAMS)(
  'a message whose connection is %s at its commit is stored once, and answered so',
  async (seam) => {
    const room = await createReadRoom(behindProxy);
    const item = draft(room, 'ann');
    proxy.resetAt(seam, LONE_SEND);
    expect(await trySend(behindProxy, item)).toBe('sent');
    expect(proxy.resets).toBeGreaterThan(0);
    const { messages } = await listAll(behindProxy, room, 'ann');
    expect(messages.map(({ message }) => message.position)).toEqual([2, 1]);
    expect(messages[0]?.message.id).toBe(item.id);
    await openDirectConnections(behindProxy);
  },
);
