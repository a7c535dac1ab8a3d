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
