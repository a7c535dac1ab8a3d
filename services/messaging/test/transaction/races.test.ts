import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { createDatabase, type Database } from '@parley/kit/postgres';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../../src/context.ts';
import { createLockTurns } from '../../src/transaction/contention.ts';
import { createOutgoingMessage } from '../../src/message/send/outgoing.ts';
import { createSendBatcher } from '../../src/message/send/batcher.ts';
import { createRoom, draft, getConversation, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

const CONNECTIONS = 50;
const GIVE_UP_MS = 20_000;

let service: TestMessaging;
let db: Database;
// Batches that no lanes keep apart, as from many replicas.
let ctx: Context;

beforeAll(async () => {
  service = await startMessaging();
  const { config, log, cell } = service.ctx;
  const url = config.databaseUrl;
  db = createDatabase({ url, poolSize: CONNECTIONS, log, applicationName: 'races', cell });
  ctx = { ...service.ctx, db };
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

type Draft = ReturnType<typeof draft>;

/** Runs as another replica. */
async function sendBatch(items: Draft[]): Promise<string[]> {
  const sends = createSendBatcher({ ...ctx, lockTurns: createLockTurns(ctx.config.sendPoolSize) });
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const outcomes = await Promise.all(
    items.map((item) => sends.add({ ...createOutgoingMessage(create(MessageDraftSchema, item)), giveUpAt })),
  );
  return outcomes.map((outcome) => (outcome.kind === 'problem' ? outcome.problem.id : outcome.kind));
}

async function listPositions({ conversationId }: Room): Promise<number[]> {
  const rows = await db.query<{ position: number }>({
    text: 'select position from message where conversation_id = $1 order by position',
    values: [conversationId],
  });
  return rows.map((row) => row.position);
}

function oneTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

test('an id that is sent to two conversations at once becomes one message, and wastes no position', async () => {
  const here = await createRoom(service, ['ann', 'bob']);
  const there = await createRoom(service, ['ann', 'bob'], here.appId);
  const ids = Array.from({ length: 40 }, () => randomUUID());
  const batches = ids.flatMap((_, start) => {
    // Each batch has some of the ids, in its own order.
    const some = [0, 7, 13].map((step) => ids[(start + step) % ids.length]!);
    return [
      sendBatch(some.map((id) => draft(here, 'ann', { id }))),
      sendBatch(some.map((id) => draft(there, 'bob', { id }))),
    ];
  });
  const outcomes = (await Promise.all(batches)).flat();
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(ids.length);
  expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(outcomes.length - ids.length);
  const [first, second] = [await listPositions(here), await listPositions(there)];
  expect(first.length + second.length).toBe(ids.length);
  expect(first).toEqual(oneTo(first.length));
  expect(second).toEqual(oneTo(second.length));
});

test('concurrent batches over shared conversations, some with bad items, never deadlock', async () => {
  const appId = randomUUID();
  const rooms = await Promise.all(oneTo(8).map(() => createRoom(service, ['ann', 'bob'], appId)));
  const batches = oneTo(CONNECTIONS).map((number) => {
    const items = oneTo(20).map((index) => draft(rooms[(index * number) % rooms.length]!, 'ann'));
    return sendBatch([
      draft(rooms[0]!, 'stranger'),
      ...items,
      draft({ appId, conversationId: randomUUID() }, 'ann'),
    ]);
  });
  for (const outcomes of await Promise.all(batches)) {
    expect(outcomes).toEqual(['not_found', ...oneTo(20).map(() => 'sent'), 'not_found']);
  }
  const all = await Promise.all(rooms.map(listPositions));
  for (const positions of all) expect(positions).toEqual(oneTo(positions.length));
  expect(all.flat()).toHaveLength(20 * CONNECTIONS);
  const [stats] = await db.query<{ deadlocks: number }>({
    text: 'select deadlocks from pg_stat_database where datname = current_database()',
  });
  expect(stats?.deadlocks).toBe(0);
});

test('a removed user cannot send afterwards', async () => {
  for (const round of oneTo(6)) {
    const room = await createRoom(service, ['ann', 'bob']);
    let removed = false;
    const late: string[] = [];
    const post = async (): Promise<void> => {
      for (let sent = 0; sent < 200; sent++) {
        const wasRemoved = removed;
        const [outcome] = await sendBatch([draft(room, 'bob')]);
        if (wasRemoved) return void late.push(outcome!);
      }
    };
    const posting = Promise.all(oneTo(8).map(post));
    await sendBatch(oneTo(round).map(() => draft(room, 'ann')));
    await service.messaging.updateConversation({
      appId: room.appId,
      id: room.conversationId,
      userId: 'ann',
      operations: [{ step: { case: 'removeParticipant', value: 'bob' } }],
    });
    removed = true;
    const { messages } = await service.messaging.listMessages({ ...room, userId: 'ann', pageSize: 1 });
    await posting;
    expect(late).toEqual(oneTo(8).map(() => 'access_denied'));
    const after = await getConversation(service, room, 'ann');
    expect(after.userView?.lastMessage?.position).toBe(messages[0]!.position);
    expect(await listPositions(room)).toEqual(oneTo(messages[0]!.position));
  }
});
