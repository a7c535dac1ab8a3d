import { randomUUID } from 'node:crypto';
import { countAppRows } from '@parley/kit/testing/app-table-rows';
import { createRoom, send, type Room } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

type Step = () => Promise<unknown>;

/** The log of changes and queues: their rows go after a time, or when they are worked off. */
const PASSING = /^(change|consumed_event|event_interest|outbox|push_order)/;

function patch({ appId, conversationId: id }: Room, kind: 'addParticipant' | 'removeParticipant'): Step {
  const operations = [{ step: { case: kind, value: 'bob' } }];
  return () => service.messaging.updateConversation({ appId, id, userId: 'ann', operations });
}

function rewrite({ appId }: Room, messageId: string): Step {
  return () =>
    service.parts.editParts({
      appId,
      messageId,
      userId: 'ann',
      edit: {
        case: 'replaceAll',
        value: { parts: [{ id: randomUUID(), mimeType: 'text/plain', body: randomUUID() }] },
      },
    });
}

let version = 0;

/** Acts that users may repeat and undo without limit. */
const pairs: Record<string, (room: Room, messageId: string) => Step[]> = {
  'remove and add': (room) => [patch(room, 'removeParticipant'), patch(room, 'addParticipant')],
  'remove, edit and add': (room, messageId) => [
    patch(room, 'removeParticipant'),
    rewrite(room, messageId),
    patch(room, 'addParticipant'),
  ],
  'block, edit and unblock': (room, messageId) => {
    const block = (blocked: boolean) => () =>
      service.copies.applyBlocks({
        appId: room.appId,
        ownerUserId: 'bob',
        blocks: [{ blockedUserId: 'ann', blocked, version: ++version }],
      });
    return [block(true), rewrite(room, messageId), block(false)];
  },
  'create the same distinct conversation': ({ appId }) => [
    () =>
      service.messaging.createConversation({
        appId,
        userId: 'ann',
        participantIds: ['ann', 'bob'],
        distinct: true,
      }),
  ],
};

test.each(Object.keys(pairs))(
  'to %s leaves as many rows however often it is repeated',
  async (name) => {
    const room = await createRoom(service, ['ann', 'bob', 'cid']);
    const { id } = await send(service, room, 'ann');
    const rowsAfter = async (times: number) => {
      for (let time = 0; time < times; time += 1)
        for (const step of pairs[name]?.(room, id) ?? []) await step();
      const counts = Object.entries(await countAppRows(service.ctx.db, room.appId));
      return Object.fromEntries(counts.filter(([table]) => !PASSING.test(table)));
    };
    const few = await rowsAfter(3);
    expect(few).toMatchObject({ message: 1 });
    expect(await rowsAfter(6)).toEqual(few);
  },
  60_000,
);

/** Gives a user memberships of one message each. */
async function setMemberships({ appId, conversationId }: Room, userId: string, count: number, first: number) {
  await service.ctx.db.execute({
    text: `
      update participant set member = spread.ranges, owed = spread.ranges from (
        select range_agg(int8range($4 + 2 * n, $4 + 2 * n + 1)) as ranges from generate_series(0, $5::int - 1) n
      ) spread
      where app_id = $1 and conversation_id = $2 and user_id = $3`,
    values: [appId, conversationId, userId, first, count],
  });
}

test('a user is added again a thousand times, and no more', async () => {
  const room = await createRoom(service, ['ann', 'bob', 'cid']);
  await send(service, room, 'ann');
  const add = patch(room, 'addParticipant');
  await patch(room, 'removeParticipant')();
  await setMemberships(room, 'bob', 999, 1);
  await add();
  await patch(room, 'removeParticipant')();
  await setMemberships(room, 'bob', 1_000, 1);
  await expect(add()).rejects.toThrow('was added and removed 1000 times');
});

test.each(['some', 'all'])(
  '%s changes that the log has dropped leave room for another membership',
  async (which) => {
    const room = await createRoom(service, ['ann', 'bob', 'cid']);
    await patch(room, 'removeParticipant')();
    await setMemberships(room, 'bob', 1_000, -5_000);
    await service.ctx.db.execute({
      text: `update participant set member = '{[1,2)}' where conversation_id = $1 and user_id = 'bob'`,
      values: [room.conversationId],
    });
    if (which === 'all')
      await service.ctx.db.execute({
        text: 'delete from change where app_id = $1 and conversation_id = $2',
        values: [room.appId, room.conversationId],
      });
    await expect(patch(room, 'addParticipant')()).resolves.toBeDefined();
  },
);
