import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { createRoom, draft, sendAll, unreadCount, type Room } from '../support/actions.ts';
import { countCacheAttempts } from '../support/cache-attempts.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';
import { guardVersions } from '../support/version-guard.ts';

const READERS = ['ann', 'bob'];
const ROUNDS = 60;

// Two replicas that race for the same conversations, each of which has them cached as it left them.
let replicas: TestMessaging[];
beforeAll(async () => {
  const first = await startMessaging();
  await guardVersions(first);
  const env = { PARLEY_DATABASE_URL: first.ctx.config.databaseUrl };
  replicas = [first, await startMessaging({ env, isDirect: true })];
});
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.stop();
});

/** The change log of a conversation, in order. */
async function listLog({ appId, conversationId }: Room): Promise<Event[]> {
  const rows = await replicas[0]!.ctx.db.query<{ event: Uint8Array }>({
    text: 'select event from change where app_id = $1 and conversation_id = $2 order by seq',
    values: [appId, conversationId],
  });
  return rows.map(({ event }) => fromBinary(EventSchema, event));
}

async function listSenders({ appId, conversationId }: Room) {
  return replicas[0]!.ctx.db.query<{ id: string; position: number; sender_id: string }>({
    text: 'select id, position, sender_id from message where app_id = $1 and conversation_id = $2 order by position',
    values: [appId, conversationId],
  });
}

type Step = (replica: TestMessaging, room: Room, index: number) => Promise<unknown>;

/** Operations that run concurrently in each round, alternating between the replicas. */
const steps: Step[] = [
  ({ messaging }, room, index) =>
    messaging.sendMessages({ items: [draft(room, 'ann'), draft(room, READERS[index % 2]!)] }),
  ({ messaging }, room) => messaging.sendMessages({ items: [draft(room, 'bob')] }),
  ({ messaging }, room) => messaging.sendMessages({ items: [draft(room, 'cat')] }),
  ({ messaging }, { appId, conversationId: id }, index) =>
    messaging.updateConversation({
      appId,
      id,
      operations: [{ step: { case: index % 4 < 2 ? 'removeParticipant' : 'addParticipant', value: 'cat' } }],
    }),
  async ({ messaging }, room, index) => {
    const userId = READERS[index % 2]!;
    const { messages } = await messaging.listMessages({ ...room, userId, pageSize: 5 });
    const items = messages.map(({ id, position, conversationId, sender }) => ({
      appId: room.appId,
      userId,
      messageId: id,
      type: ReceiptType.READ,
      // Half of the rounds leave it to the service to look up the place.
      ...(index % 8 < 4 && { place: { conversationId, position, senderId: sender!.userId } }),
    }));
    if (items.length > 0) await messaging.recordReceipts({ items });
  },
  async ({ messaging }, room, index) => {
    if (index % 7 === 0) await messaging.markAllRead({ ...room, userId: READERS[index % 2]! });
  },
];

test('numbers have no gaps, removed users do not post, and unread counts are exact when two replicas race', async () => {
  const appId = randomUUID();
  const rooms = await Promise.all([1, 2].map(() => createRoom(replicas[0]!, [...READERS, 'cat'], appId)));
  for (let round = 0; round < ROUNDS; round++) {
    // Ends the pause after failures, so that both replicas keep using their caches.
    for (const { ctx } of replicas) ctx.conversationCache.noteAttempt(true);
    // One replica has the conversations cached when the race begins; in 3 of 10 rounds the first one does all the work.
    for (const room of rooms)
      for (const user of READERS) await sendAll(replicas[round % 2]!, [draft(room, user)]);
    for (const room of rooms) await sendAll(replicas[round % 2]!, [draft(room, 'ann')]);
    const alone = round % 10 < 3;
    const runs = rooms.flatMap((room, place) =>
      steps.map((step, index) => step(replicas[alone ? 0 : (index + place + round) % 2]!, room, round)),
    );
    await Promise.all(runs);
  }
  for (const room of rooms) {
    const log = await listLog(room);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expectMembersOnly(log, await listSenders(room));
    for (const user of READERS)
      expect([user, await unreadCount(replicas[0]!, room, user)]).toEqual([user, countUnread(log, user)]);
  }
  expect((await countCacheAttempts(replicas[0]!)).stored).toBeGreaterThan(0);
  expect((await countCacheAttempts(replicas[0]!)).stale).toBeGreaterThan(0);
}, 120_000);

/** Every logged message is stored at its position, positions have no gaps, and its sender was a participant then. */
function expectMembersOnly(
  log: readonly Event[],
  stored: readonly { id: string; sender_id: string; position: number }[],
): void {
  const members = new Set([...READERS, 'cat']);
  const posted: { id: string; position: number; sender_id: string }[] = [];
  for (const { body } of log) {
    if (body.case === 'conversationUpdated') {
      for (const { userId } of body.value.added) members.add(userId);
      for (const userId of body.value.removedUserIds) members.delete(userId);
    } else if (body.case === 'messageCreated') {
      const { id, position } = body.value.message!;
      const sender_id = stored.find((row) => row.id === id)?.sender_id ?? 'nobody';
      expect(members).toContain(sender_id);
      posted.push({ id, position, sender_id });
    }
  }
  expect(posted).toEqual(stored);
  expect(posted.map(({ position }) => position)).toEqual(posted.map((_, index) => index + 1));
}

/** Unread count of a permanent participant, computed from the change log alone. */
function countUnread(log: readonly Event[], user: string): number {
  const unread = new Set<number>();
  for (const { body, actor } of log) {
    if (body.case === 'messageCreated' && actor?.userId !== user) unread.add(body.value.message!.position);
    if (body.case === 'receiptRecorded' && body.value.userId === user) unread.delete(body.value.position);
    if (body.case === 'allRead' && body.value.userId === user)
      for (const position of unread) if (position <= body.value.position) unread.delete(position);
  }
  return unread.size;
}

test('an acknowledged message of either replica is stored, and none is stored twice', async () => {
  const room = await createRoom(replicas[0]!, READERS);
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      sendAll(replicas[index % 2]!, [draft(room, READERS[index % 2]!)]),
    ),
  );
  const stored = await listSenders(room);
  expect(stored.map(({ id }) => id).sort()).toEqual(
    sent
      .flat()
      .map(({ id }) => id)
      .sort(),
  );
});
