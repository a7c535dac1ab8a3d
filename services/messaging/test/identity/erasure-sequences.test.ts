import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { createRoom, draft, getConversation, listAll, trySend, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let nats: TestNats;
let service: TestMessaging;

beforeAll(async () => {
  nats = await startNats();
  service = await startMessaging({ natsUrl: nats.url });
});
afterAll(async () => {
  await service?.stop();
  await nats?.stop();
});

type Kind =
  'join' | 'send' | 'send late' | 'send by server' | 'erase' | 'log in' | 'repeat event' | 'let it work';

const weights: Record<Kind, number> = {
  join: 3,
  send: 4,
  'send late': 1,
  'send by server': 2,
  erase: 2,
  'log in': 3,
  'repeat event': 2,
  'let it work': 1,
};
const kinds = Object.entries(weights).flatMap(([kind, weight]) =>
  Array.from({ length: weight }, () => kind as Kind),
);
const step = fc.constantFrom(...kinds);

/** The identity of ann; only messages and participations of her present incarnation may be left. */
type Model = {
  version: number;
  incarnation: number;
  deleted: boolean;
  kept: string[];
  rooms: Room[];
  joined: Set<Room>;
};

async function publish(appId: string, version: number): Promise<void> {
  const value = { userId: 'ann', version };
  const events = [{ id: randomUUID(), appId, body: { case: 'userErased' as const, value } }];
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events }));
  await service.ctx.bus.publish(`event.${appId}.identity.erased`, payload, { msgId: randomUUID() });
}

function roomOf({ rooms }: Model, index: number): Room {
  return rooms[index % rooms.length]!;
}

async function join(model: Model, index: number): Promise<void> {
  const room = roomOf(model, index);
  const operations = [{ step: { case: 'addParticipant' as const, value: 'ann' } }];
  const { appId, conversationId: id } = room;
  await service.messaging.updateConversation({ appId, id, operations });
  model.joined.add(room);
}

async function send(model: Model, index: number, fields: Parameters<typeof draft>[2]): Promise<string> {
  const item = draft(roomOf(model, index), 'ann', fields);
  const outcome = await trySend(service, item);
  if (outcome === 'sent') model.kept.push(item.id);
  return outcome;
}

async function erase(model: Model, appId: string): Promise<void> {
  if (!model.deleted) model.version += 1;
  if (model.incarnation < model.version) model.incarnation = model.version += 1;
  Object.assign(model, { deleted: true, kept: [], joined: new Set() });
  const { version, incarnation } = model;
  const identity = { appId, userId: 'ann', version, incarnation, deleted: true };
  await service.copies.applyErasure({ identity });
}

async function logIn(model: Model, appId: string): Promise<void> {
  if (!model.deleted) return;
  Object.assign(model, { version: model.version + 1, deleted: false });
  const { version, incarnation } = model;
  await service.copies.applyIdentities({
    appId,
    identities: [{ appId, userId: 'ann', version, incarnation }],
  });
}

function untilErased(appId: string) {
  return until(
    async () => {
      const query = { text: 'select from erasure where app_id = $1', values: [appId] };
      return (await service.ctx.db.execute(query)) === 0 || undefined;
    },
    { withinMs: 20_000, what: 'the erasure is over' },
  );
}

async function act(model: Model, kind: Kind, index: number): Promise<void> {
  const { appId } = model.rooms[0]!;
  const { incarnation, deleted } = model;
  const isIn = model.joined.has(roomOf(model, index));
  if (kind === 'join' && !deleted) await join(model, index);
  if (kind === 'send' && !deleted)
    expect(await send(model, index, { senderIncarnation: incarnation })).toBe(isIn ? 'sent' : 'not_found');
  if (kind === 'send late' && incarnation > 0)
    expect(await send(model, index, { senderIncarnation: incarnation - 1 })).toBe('access_denied');
  if (kind === 'send by server' && !deleted)
    expect(await send(model, index, { byServer: true })).toBe(isIn ? 'sent' : 'invalid_property: sender_id');
  if (kind === 'erase') await erase(model, appId);
  if (kind === 'log in') await logIn(model, appId);
  if (kind === 'repeat event' && incarnation > 0) await publish(appId, 1 + (index % incarnation));
  if (kind === 'let it work') await untilErased(appId);
}

test('after any sequence, exactly the messages and participations since the last erasure are left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const first = await createRoom(service, ['ann', 'bob']);
      const rooms = [first, await createRoom(service, ['ann', 'bob'], first.appId)];
      const model: Model = {
        version: 1,
        incarnation: 0,
        deleted: false,
        kept: [],
        rooms,
        joined: new Set(rooms),
      };
      for (const [index, kind] of steps.entries()) await act(model, kind, index);
      if (model.incarnation > 0) await publish(first.appId, model.incarnation);
      await untilErased(first.appId);
      const left = (await Promise.all(rooms.map((room) => listAll(service, room, 'bob')))).flatMap(
        ({ messages }) => messages.map(({ message }) => message.id),
      );
      expect(left.sort()).toEqual(model.kept.sort());
      const { appId } = first;
      const { conversations } = await service.messaging.listConversations({
        appId,
        userId: 'ann',
        pageSize: 10,
      });
      const joined = [...model.joined].map(({ conversationId }) => conversationId);
      expect(conversations.map(({ id }) => id).sort()).toEqual(joined.sort());
      for (const room of rooms) {
        const { participants } = await getConversation(service, room, 'bob');
        expect(participants.length).toBe(model.joined.has(room) ? 2 : 1);
      }
    }),
    { numRuns: 25 },
  );
}, 180_000);
