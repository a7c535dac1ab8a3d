import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { expectProblem } from '@parley/domain/testing/problems';
import {
  CreateConversationResponse_Outcome as Outcome,
  DeletionMode,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createRoom, draft, listAll, receipt, send, trySend, type Room } from '../support/actions.ts';
import { createHolder } from '../support/hold.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

describe('the next person with the user id of an erased one', () => {
  let service: TestMessaging;

  beforeAll(async () => {
    service = await startMessaging();
  });
  afterAll(() => service?.stop());

  const erase = async (appId: string, userId: string, version = 5) => {
    await service.copies.applyErasure({
      identity: { appId, userId, version, incarnation: version, deleted: true },
    });
    await service.copies.applyIdentities({
      appId,
      identities: [
        { appId, userId, version: version + 1, incarnation: version, displayName: 'The next Ann' },
      ],
    });
  };
  const isErased = (appId: string) =>
    until(
      async () => {
        const text = 'select from erasure where app_id = $1';
        return (await service.ctx.db.execute({ text, values: [appId] })) === 0 || undefined;
      },
      { withinMs: 60_000, what: 'the erasure is done' },
    );
  const rowsOf = async ({ appId, conversationId }: Room, userId: string) => {
    const tables = ['participant', 'participant_block', 'hidden_unread'];
    const counts = tables.map((table) =>
      service.ctx.db.execute({
        text: `select from ${table} where app_id = $1 and conversation_id = $2 and user_id = $3`,
        values: [appId, conversationId, userId],
      }),
    );
    return Promise.all(counts);
  };
  const join = ({ appId, conversationId: id }: Room, userId: string) =>
    service.messaging.updateConversation({
      appId,
      id,
      operations: [{ step: { case: 'addParticipant', value: userId } }],
    });
  const participantsOf = async ({ appId, conversationId: id }: Room) => {
    const { conversation } = await service.messaging.getConversation({ appId, id, userId: 'bob' });
    return conversation!.participants.map(({ userId }) => userId);
  };
  const statusOf = async (room: Room, messageId: string) => {
    const { messages } = await listAll(service, room, 'bob');
    return messages.find(({ message }) => message.id === messageId)?.statuses;
  };
  /** Keeps the next erasure of ann from beginning until the function that is returned is called. */
  const pause = async (appId: string) => {
    const text = `insert into erasure (app_id, user_id, version, due_at) values ($1, 'ann', 5, 'infinity')`;
    await service.ctx.db.execute({ text, values: [appId] });
    return async () => {
      const due = `update erasure set due_at = '-infinity' where app_id = $1`;
      await service.ctx.db.execute({ text: due, values: [appId] });
      await isErased(appId);
    };
  };
  const block = (appId: string, version: number) =>
    service.copies.applyBlocks({
      appId,
      ownerUserId: 'ann',
      blocks: [{ blockedUserId: 'bob', blocked: true, version }],
    });
  const rewrite = ({ appId }: Room, messageId: string, body: string) =>
    service.parts.editParts({
      appId,
      messageId,
      userId: 'bob',
      edit: {
        case: 'replaceAll',
        value: { parts: [{ id: randomUUID(), mimeType: 'text/plain', body }] },
      },
    });
  const textFor = async ({ appId }: Room, id: string) => {
    const { message } = await service.messaging.getMessage({ appId, id, userId: 'ann' });
    return message?.parts.map(({ body }) => body).join(' ');
  };
  const placesOf = ({ appId }: Room) =>
    service.ctx.db.execute({
      text: `select from list_place where app_id = $1 and user_id = 'ann'`,
      values: [appId],
    });
  /** Conversations and messages that the user sees, by every way to read them. */
  const sightOf = async (room: Room, userId: string, messageId: string) => {
    const { messaging } = service;
    const { appId, conversationId } = room;
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => 'answered',
        () => 'refused',
      );
    const since = { appId, userId, fromTimestamp: Date.now() - 3_600_000 };
    return {
      listed: (await messaging.listConversations({ appId, userId, pageSize: 10 })).conversations,
      totals: await messaging.getUnreadTotals({ appId, userId }),
      counts: (await messaging.getUnreadCounts({ items: [{ appId, userId, conversationId }] })).results.map(
        ({ unreadMessageCount }) => unreadMessageCount,
      ),
      replayed: (await service.changeLog.listUserEvents(since)).events,
      conversation: await refused(messaging.getConversation({ appId, id: conversationId, userId })),
      messages: await refused(messaging.listMessages({ ...room, userId, pageSize: 10 })),
      message: await refused(messaging.getMessage({ appId, id: messageId, userId })),
      deletion: await refused(messaging.deleteMessage({ appId, id: messageId, conversationId, userId })),
      leaving: await refused(messaging.deleteConversation({ appId, id: conversationId, userId })),
      receipt: await receipt(service, { appId, userId, messageId }),
      send: await trySend(service, draft(room, userId)),
    };
  };

  test('sees what a new user sees, before the erasure has reached a conversation and afterwards', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const { appId } = room;
    const { id } = await send(service, room, 'bob');
    await send(service, room, 'ann');
    const newUser = await sightOf(room, 'new', id);
    const holder = createHolder(service);
    const release = await holder.hold([room]);
    await erase(appId, 'ann');
    // A call of a participant would wait for the conversation, which is held.
    const early = sightOf(room, 'ann', id);
    await release();
    expect(await early).toEqual(newUser);
    await isErased(appId);
    expect(await sightOf(room, 'ann', id)).toEqual(newUser);
    expect(await rowsOf(room, 'ann')).toEqual([0, 0, 0]);
    expect(await participantsOf(room)).toEqual(['bob']);
    await holder.db.close();
  }, 120_000);

  test('did not delete what the first person deleted', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const { id } = await send(service, room, 'ann');
    const mode = DeletionMode.ALL_PARTICIPANTS;
    const remove = () => service.messaging.deleteMessage({ ...room, id, userId: 'ann', mode });
    await remove();
    await remove();
    await erase(room.appId, 'ann');
    await join(room, 'ann');
    await expectProblem(remove(), 'not_found');
  });

  test('is no recipient of messages, neither of those before the erasure nor of those after', async () => {
    const room = await createRoom(service, ['ann', 'bob', 'cid']);
    const { appId } = room;
    const before = await send(service, room, 'bob');
    const holder = createHolder(service);
    const release = await holder.hold([room]);
    await erase(appId, 'ann');
    const sending = send(service, room, 'bob');
    await release();
    const after = await sending;
    expect(await statusOf(room, before.id)).toEqual({ bob: 'read', cid: 'sent' });
    expect(await statusOf(room, after.id)).toEqual({ bob: 'read', cid: 'sent' });
    await isErased(appId);
    expect(await statusOf(room, after.id)).toEqual({ bob: 'read', cid: 'sent' });
    await holder.db.close();
  }, 120_000);

  test('begins as a new participant where they are added while the erasure is under way', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const { appId } = room;
    const first = await send(service, room, 'bob');
    await receipt(service, { appId, userId: 'ann', messageId: first.id });
    const { id: own } = await send(service, room, 'ann');
    const holder = createHolder(service);
    const release = await holder.hold([room]);
    await erase(appId, 'ann');
    const joining = join(room, 'ann');
    await release();
    await joining;
    const editing = service.parts.editParts({
      appId,
      conversationId: room.conversationId,
      messageId: own,
      userId: 'ann',
      edit: { case: 'add', value: { id: randomUUID(), mimeType: 'text/plain', body: 'mine' } },
    });
    await expect(editing).rejects.toThrow();
    expect(await trySend(service, draft(room, 'ann', { senderIncarnation: 5 }))).toBe('sent');
    await isErased(appId);
    expect(await participantsOf(room)).toEqual(['ann', 'bob']);
    expect(await trySend(service, draft(room, 'ann', { senderIncarnation: 5 }))).toBe('sent');
    const { messages } = await service.messaging.listMessages({ ...room, userId: 'ann', pageSize: 10 });
    // The first person's message is gone; the second one reads earlier messages, as every added user does.
    expect(messages.map(({ sender }) => sender?.userId)).toEqual(['ann', 'ann', 'bob']);
    await holder.db.close();
  }, 120_000);

  test('does not find the distinct conversation of the first', async () => {
    const appId = randomUUID();
    const ask = () =>
      service.messaging.createConversation({
        appId,
        participantIds: ['bob', 'ann'],
        userId: 'ann',
        distinct: true,
      });
    const first = await ask();
    expect((await ask()).conversation?.id).toBe(first.conversation?.id);
    await erase(appId, 'ann');
    const second = await ask();
    expect(second.outcome).toBe(Outcome.CREATED);
    expect(second.conversation?.id).not.toBe(first.conversation?.id);
    await isErased(appId);
    expect((await ask()).conversation?.id).toBe(second.conversation?.id);
    await erase(appId, 'ann', 9);
    expect((await ask()).outcome).toBe(Outcome.CREATED);
  }, 120_000);

  test('leaves the others with the removal of the first, whose name it does not show', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const received: Event[] = [];
    service.ctx.bus.subscribeLive(
      `live.${room.appId}.*.event`,
      (payload) => void received.push(...fromBinary(EventBatchSchema, payload).events),
    );
    await service.ctx.bus.flush();
    await erase(room.appId, 'ann');
    const removal = await until(() => received.find(({ body }) => body.case === 'conversationUpdated'), {
      withinMs: 30_000,
      what: 'the removal is published',
    });
    expect(removal.body).toMatchObject({
      value: { removedUserIds: ['ann'], removed: [{ userId: 'ann', incarnation: 0 }] },
    });
    expect(inspect(removal.body.value, { depth: null })).not.toContain('The next Ann');
    const since = { appId: room.appId, userId: 'bob', fromTimestamp: Date.now() - 3_600_000 };
    const { events } = await service.changeLog.listUserEvents(since);
    const replayed = events.find(({ body }) => body.case === 'conversationUpdated');
    expect(replayed?.body).toMatchObject({ value: { removed: [{ userId: 'ann', incarnation: 0 }] } });
    expect(inspect(replayed?.body.value, { depth: null })).not.toContain('The next Ann');
  }, 120_000);

  test('reads what was withheld from the first, and goes on seeing what is withheld from themselves', async () => {
    const room = await createRoom(service, ['ann', 'bob', 'cid']);
    const { appId } = room;
    const { id } = await send(service, room, 'bob');
    await block(appId, 1);
    await rewrite(room, id, 'second');
    await send(service, room, 'bob');
    const resume = await pause(appId);
    await erase(appId, 'ann');
    await join(room, 'ann');
    expect([await textFor(room, id), await placesOf(room)]).toEqual(['second', 0]);
    await block(appId, 100);
    await rewrite(room, id, 'third');
    await send(service, room, 'bob');
    await resume();
    expect([await textFor(room, id), await placesOf(room)]).toEqual(['second', 1]);
  }, 120_000);

  test('leaves nothing of what was withheld from the first where they are not added again', async () => {
    const room = await createRoom(service, ['ann', 'bob', 'cid']);
    const { appId } = room;
    const { id } = await send(service, room, 'bob');
    await block(appId, 1);
    await rewrite(room, id, 'second');
    await send(service, room, 'bob');
    await erase(appId, 'ann');
    await isErased(appId);
    const text = `select from message_version where app_id = $1 and 'ann' = any (kept_for)`;
    expect(await service.ctx.db.execute({ text, values: [appId] })).toBe(0);
    expect(await placesOf(room)).toBe(0);
  }, 120_000);

  test('gets no participation of the first from a process of the release before, which works the erasure', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const { appId } = room;
    await send(service, room, 'bob');
    const resume = await pause(appId);
    await erase(appId, 'ann');
    const { db } = service.ctx;
    const taking = `update participant set read_until = 0, incarnation = 5 where app_id = $1 and user_id = 'ann'`;
    expect(await db.execute({ text: taking, values: [appId] })).toBe(0);
    await db.execute({ text: 'delete from erasure where app_id = $1', values: [appId] });
    expect((await service.messaging.listConversations({ appId, userId: 'ann' })).conversations).toEqual([]);
    await resume();
    expect(await rowsOf(room, 'ann')).toEqual([0, 0, 0]);
    expect(await participantsOf(room)).toEqual(['bob']);
  }, 120_000);
});
