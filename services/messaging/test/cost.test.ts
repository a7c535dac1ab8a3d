import { create } from '@bufbuild/protobuf';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { recordBatch } from '../src/read-state/record/run.ts';
import { createOutgoingMessage } from '../src/message/send/outgoing.ts';
import { sendBatch } from '../src/message/send/run.ts';
import { sendFromCache } from '../src/message/cached/send-from-cache.ts';
import { listMessagePlaces } from '../src/sql/message/message.ts';
import { createRoom, draft, sendAll, type Room } from './support/actions.ts';
import { connectAlone, measure, measureOn } from './support/cost.ts';
import { makeHistory } from './support/history.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
beforeAll(async () => {
  service = await startMessaging({ env: { PARLEY_MAX_PARTICIPANTS: '2000' } });
});
afterAll(() => service?.stop());

type Scene = { participants: number; history: number };
const scenes: Scene[] = [
  { participants: 2, history: 10 },
  { participants: 200, history: 10 },
  { participants: 2, history: 10_000 },
  { participants: 200, history: 10_000 },
  { participants: 2_000, history: 10 },
];

async function setTheScene({ participants, history }: Scene): Promise<Room> {
  const room = await createRoom(
    service,
    Array.from({ length: participants }, (_, index) => `user ${index}`),
  );
  await makeHistory(service, room, history);
  return room;
}

function sending(room: Room, userId: string) {
  return measure(service.ctx, (ctx) =>
    sendBatch(ctx, [createOutgoingMessage(create(MessageDraftSchema, draft(room, userId)))]),
  );
}

function sendingFromCache(room: Room, userId: string) {
  return measure(service.ctx, async (ctx) => {
    const item = createOutgoingMessage(create(MessageDraftSchema, draft(room, userId)));
    const [outcome] = await sendFromCache(ctx, [item]);
    expect(outcome?.kind).toBe('sent');
  });
}

// Sends some messages and returns the last one.
async function reading(room: Room, { unread }: { unread: number }) {
  const messages = await sendAll(
    service,
    Array.from({ length: unread }, () => draft(room, 'user 0')),
  );
  const [place] = await listMessagePlaces(service.ctx.db, [{ appId: room.appId, id: messages.at(-1)!.id }]);
  const receipt = { userId: 'user 1', type: ReceiptType.READ, place: place! };
  return measure(service.ctx, (ctx) => recordBatch(ctx, [receipt]));
}

test('a message and a receipt cost the same for any number of participants and any history', async () => {
  const costs = [];
  for (const scene of scenes) {
    const room = await setTheScene(scene);
    const byWriter = await sending(room, 'user 1');
    await service.messaging.markAllRead({ ...room, userId: 'user 1' });
    costs.push({
      'a message of a user who only writes': byWriter,
      'a message of a user who has read everything': await sending(room, 'user 1'),
      'a message of a cached sender': await sendingFromCache(room, 'user 1'),
      'a receipt in order': await reading(room, { unread: 1 }),
      'a receipt out of order': await reading(room, { unread: 2 }),
    });
  }
  const always = ['change +1', 'conversation ~1', 'outbox +1', 'participant ~1'];
  const message = ['change +1', 'conversation ~1', 'message +1', 'outbox +1', 'participant ~1'];
  const block: unknown = expect.stringMatching(/^participant_block [+~]1$/);
  for (const cost of costs) {
    expect(cost).toMatchObject({
      'a message of a user who only writes': {
        statements: 5,
        written: [...message, block],
      },
      'a message of a user who has read everything': { statements: 5, written: message },
      'a message of a cached sender': { statements: 4, written: message },
      'a receipt in order': { statements: 5, written: always },
      'a receipt out of order': { statements: 5, written: [...always, block] },
    });
    for (const { rowsRead } of Object.values(cost)) expect(rowsRead).toBeLessThan(20);
  }
}, 60_000);

test('plans made on empty tables read no more rows once the tables are large', async () => {
  const young = await startMessaging({ env: { PARLEY_MAX_PARTICIPANTS: '2000' } });
  const db = connectAlone(young.ctx);
  try {
    const sendTo = (room: Room) =>
      measureOn(db, young.ctx, (ctx) =>
        sendBatch(ctx, [createOutgoingMessage(create(MessageDraftSchema, draft(room, 'user 0')))]),
      );
    await sendTo(await createRoom(young, ['user 0', 'user 1']));
    const names = Array.from({ length: 300 }, (_, index) => `user ${index}`);
    const room = await createRoom(young, names);
    await Promise.all(names.map((name) => sendAll(young, [draft(room, name), draft(room, name)])));
    await young.ctx.db.execute({
      text: `
        insert into scheduled_message (app_id, id, conversation_id, sender_id, created_at, due_at, draft)
        select $1, gen_random_uuid(), $2, 'user 1', now(), now() + interval '1 hour', '' from generate_series(1, 300)`,
      values: [room.appId, room.conversationId],
    });
    expect((await sendTo(room)).rowsRead).toBeLessThan(20);
  } finally {
    await db.close();
    await young.stop();
  }
}, 60_000);

test('a batch runs as many statements as a single message', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const items = Array.from({ length: 200 }, () =>
    createOutgoingMessage(create(MessageDraftSchema, draft(room, 'ann'))),
  );
  expect((await measure(service.ctx, (ctx) => sendBatch(ctx, items))).statements).toBe(5);
});
