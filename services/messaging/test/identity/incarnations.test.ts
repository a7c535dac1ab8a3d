import { randomUUID } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event, type EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { problemIn } from '@parley/domain/testing/problems';
import { startNats, until, type TestNats } from '@parley/testing';
import {
  createRoom,
  draft,
  receipt,
  send,
  sendAll,
  trySend,
  unreadCount,
  type Room,
} from '../support/actions.ts';
import { createHolder } from '../support/hold.ts';
import { add } from '../support/patches.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

describe('incarnations of users', () => {
  const known = new Map<string, Pick<Identity, 'version' | 'incarnation'>>();
  let nats: TestNats;
  let service: TestMessaging;

  // Consumers of the same durable name share events, so this service gets a NATS server of its own.
  beforeAll(async () => {
    nats = await startNats();
    service = await startMessaging({ natsUrl: nats.url, known });
  });
  afterAll(async () => {
    await service?.stop();
    await nats?.stop();
  });

  const publish = async (appId: string, body: MessageInitShape<typeof EventSchema>['body']) => {
    const events = [{ id: randomUUID(), appId, body: body! }];
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events }));
    await service.ctx.bus.publish(`event.${appId}.identity.changed`, payload, { msgId: randomUUID() });
  };
  /** The call that the gateway makes before it answers the deletion of a user. */
  const erase = (appId: string, userId: string, version: number) =>
    service.copies.applyErasure({
      identity: { appId, userId, version, incarnation: version, deleted: true },
    });
  const logInAgain = (appId: string, userId: string, incarnation: number) =>
    service.copies.applyIdentities({
      appId,
      identities: [{ appId, userId, version: incarnation + 1, incarnation, displayName: 'Again' }],
    });
  /** The next person with the user id begins without conversations; a server adds them to this one. */
  const join = ({ appId, conversationId: id }: Room, userId: string) =>
    service.messaging.updateConversation({
      appId,
      id,
      operations: [{ step: { case: 'addParticipant', value: userId } }],
    });
  const texts = async (room: Room, userId: string) =>
    (await service.messaging.listMessages({ ...room, userId, pageSize: 100 })).messages.map(({ id }) => id);
  const isErased = (userId: string) =>
    until(
      async () =>
        (await service.ctx.db.execute({
          text: 'select from erasure where user_id = $1',
          values: [userId],
        })) === 0 || undefined,
      { withinMs: 20_000, what: `${userId} is erased` },
    );

  test('messages sent after a new login survive the erasure, and all earlier ones are erased', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const { appId } = room;
    await sendAll(
      service,
      Array.from({ length: 60 }, () => draft(room, 'ann', { senderIncarnation: 0 })),
    );
    await erase(appId, 'ann', 5);
    await logInAgain(appId, 'ann', 5);
    await join(room, 'ann');
    const kept: string[] = [];
    for (let sent = 0; sent < 30; sent++) {
      kept.unshift((await send(service, room, 'ann', { senderIncarnation: 5 })).id);
      kept.unshift((await send(service, room, 'ann', { byServer: true })).id);
    }
    await isErased('ann');
    expect(await texts(room, 'bob')).toEqual(kept);
  });

  test('a message whose send holds the conversation while its sender is erased is erased, too', async () => {
    const room = await createRoom(service, ['cat', 'bob']);
    const holder = createHolder(service);
    const release = await holder.hold([room]);
    const sending = trySend(service, draft(room, 'cat', { senderIncarnation: 0 }));
    await erase(room.appId, 'cat', 3);
    await release();
    expect(await sending).toBe('access_denied');
    await holder.db.close();
    const before = await createRoom(service, ['cid', 'bob']);
    const [outcome] = await Promise.all([
      trySend(service, draft(before, 'cid', { senderIncarnation: 0 })),
      erase(before.appId, 'cid', 3),
    ]);
    expect(['sent', 'access_denied']).toContain(outcome);
    await isErased('cid');
    expect(await texts(before, 'bob')).toEqual([]);
  });

  test('sessions of an earlier incarnation can no longer send, even after a new login', async () => {
    const room = await createRoom(service, ['dan', 'bob']);
    await erase(room.appId, 'dan', 7);
    const late = () => trySend(service, draft(room, 'dan', { senderIncarnation: 0 }));
    expect(await late()).toBe('access_denied');
    await logInAgain(room.appId, 'dan', 7);
    expect(await late()).toBe('access_denied');
    expect(await trySend(service, draft(room, 'dan', { senderIncarnation: 7 }))).toBe('not_found');
    await join(room, 'dan');
    expect(await late()).toBe('access_denied');
    expect(await trySend(service, draft(room, 'dan', { senderIncarnation: 7 }))).toBe('sent');
  });

  test('a session of an unknown incarnation applies the erasure before it sends', async () => {
    const room = await createRoom(service, ['eve', 'bob']);
    await send(service, room, 'eve');
    known.set('eve', { version: 9, incarnation: 8 });
    expect(await trySend(service, draft(room, 'eve', { senderIncarnation: 8 }))).toBe('not_found');
    await isErased('eve');
    expect(await texts(room, 'bob')).toEqual([]);
  });

  test('a repeated event of an erasure changes nothing after a new login', async () => {
    const room = await createRoom(service, ['flo', 'bob']);
    const { appId } = room;
    await erase(appId, 'flo', 4);
    await logInAgain(appId, 'flo', 4);
    await join(room, 'flo');
    const { id } = await send(service, room, 'flo', { senderIncarnation: 4 });
    const later = draft(room, 'flo');
    await service.schedules.scheduleMessage({ draft: later, delayMs: 60_000 });
    await publish(appId, { case: 'userErased', value: { userId: 'flo', version: 4 } });
    await publish(appId, { case: 'userErased', value: { userId: 'flo', version: 2 } });
    // Events arrive in order: when this one is known, so are the earlier ones.
    await publish(appId, { case: 'userErased', value: { userId: 'last', version: 1 } });
    const isLast = { text: `select from identity_copy where user_id = 'last'` };
    await until(async () => (await service.ctx.db.execute(isLast)) > 0 || undefined, {
      withinMs: 10_000,
      what: 'the events are known',
    });
    await isErased('flo');
    expect(await texts(room, 'bob')).toEqual([id]);
    const { messages } = await service.schedules.listScheduledMessages({ ...room, pageSize: 10 });
    expect(messages.map(({ draft: scheduled }) => scheduled?.id)).toEqual([later.id]);
    expect(await trySend(service, draft(room, 'flo', { byServer: true }))).toBe('sent');
  });

  test('messages scheduled before the erasure are never sent, even if the user is created again', async () => {
    const room = await createRoom(service, ['gus', 'bob']);
    await service.schedules.scheduleMessage({ draft: draft(room, 'gus'), delayMs: 1000 });
    // Schedules as a process does that does not know of the erasure yet.
    const text = `insert into scheduled_message select app_id, gen_random_uuid(), conversation_id, sender_id, null,
      created_at, due_at, null, false, draft from scheduled_message where conversation_id = $1`;
    await erase(room.appId, 'ivy', 6);
    await service.ctx.db.execute({ text, values: [room.conversationId] });
    await erase(room.appId, 'gus', 6);
    await logInAgain(room.appId, 'gus', 6);
    await join(room, 'gus');
    const fresh = draft(room, 'gus');
    await service.schedules.scheduleMessage({ draft: fresh, delayMs: 1000 });
    await until(async () => (await texts(room, 'bob')).length > 0 || undefined, {
      withinMs: 20_000,
      what: 'the message is sent',
    });
    await isErased('gus');
    expect(await texts(room, 'bob')).toEqual([fresh.id]);
  });

  test('the events of an erasure carry neither the deleted bodies nor an erased incarnation', async () => {
    const room = await createRoom(service, ['kim', 'bob']);
    const received: Event[] = [];
    service.ctx.bus.subscribeLive(
      `live.${room.appId}.*.event`,
      (payload) => void received.push(...fromBinary(EventBatchSchema, payload).events),
    );
    await service.ctx.bus.flush();
    const { id } = await send(service, room, 'kim');
    await erase(room.appId, 'kim', 5);
    const { body } = await until(() => received.find((event) => event.body.case === 'messageDeleted'), {
      withinMs: 20_000,
      what: 'the deletion is published',
    });
    const message = body.case === 'messageDeleted' ? body.value.message : undefined;
    expect(message).toMatchObject({ id, parts: [], sender: { userId: 'kim', incarnation: 5 } });
    expect(message?.sender?.displayName).toBeUndefined();
  });

  test('receipts of a user who was created again survive, and earlier ones are forgotten', async () => {
    const room = await createRoom(service, ['hal', 'bob']);
    const { appId } = room;
    const messages = await sendAll(
      service,
      Array.from({ length: 5 }, () => draft(room, 'bob')),
    );
    for (const { id } of messages.slice(0, 3))
      await receipt(service, { appId, userId: 'hal', messageId: id });
    expect(await unreadCount(service, room, 'hal')).toBe(2);
    // The conversation is held, so that the erasure cannot reach it before the user is created again.
    const holder = createHolder(service);
    const release = await holder.hold([room]);
    await erase(appId, 'hal', 2);
    await logInAgain(appId, 'hal', 2);
    const joined = join(room, 'hal');
    await release();
    await joined;
    const last = await send(service, room, 'bob');
    expect(await unreadCount(service, room, 'hal')).toBe(1);
    expect(await receipt(service, { appId, userId: 'hal', messageId: last.id })).toBe('recorded');
    await isErased('hal');
    expect(await unreadCount(service, room, 'hal')).toBe(0);
    await holder.db.close();
  });

  test('a user who is erased while they are added is not replaced by the next person', async () => {
    const room = await createRoom(service, ['bob', 'cid']);
    const { appId, conversationId: id } = room;
    const { identities } = service.ctx;
    const find = identities.find.bind(identities);
    let version = 0;
    identities.find = async (...asked) => {
      const found = await find(...asked);
      version += 5;
      await erase(appId, 'ann', version);
      await logInAgain(appId, 'ann', version);
      return found;
    };
    const addAnn = () => service.messaging.updateConversation({ appId, id, operations: [add('ann')] });
    const make = () => service.messaging.createConversation({ appId, participantIds: ['ann', 'bob'] });
    try {
      for (const call of [addAnn, make])
        expect(await problemIn(call())).toBe('invalid_property: participants');
    } finally {
      identities.find = find;
    }
    expect((await service.messaging.listConversations({ appId, userId: 'ann' })).conversations).toEqual([]);
    await addAnn();
    expect((await service.messaging.listConversations({ appId, userId: 'ann' })).conversations).toHaveLength(
      1,
    );
  });
});
