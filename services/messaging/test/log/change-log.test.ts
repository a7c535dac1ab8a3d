import { randomUUID } from 'node:crypto';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { send } from '../model/driver.ts';
import { add, remove, setMetadata } from '../support/patches.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

describe('the change log', () => {
  let service: TestMessaging;
  let appId: string;

  beforeAll(async () => void (service = await startMessaging()));
  beforeEach(() => void (appId = randomUUID()));
  afterAll(() => service.stop());

  async function create(participantIds: string[]): Promise<string> {
    const request = { appId, userId: 'ann', participantIds };
    return (await service.messaging.createConversation(request)).conversation!.id;
  }
  const say = (conversationId: string, senderId = 'ann', id = randomUUID()) =>
    send(service, { appId, conversationId, id, senderId });
  const patch = (id: string, ...operations: ReturnType<typeof add>[]) =>
    service.messaging.updateConversation({ appId, id, userId: 'ann', operations });

  async function replay(userId: string, { pageSize = 0, fromTimestamp = 0 } = {}): Promise<Event[][]> {
    const pages: Event[][] = [];
    let cursor = '';
    do {
      const page = await service.changeLog.listUserEvents({ appId, userId, fromTimestamp, cursor, pageSize });
      pages.push(page.events);
      cursor = page.cursor;
    } while (cursor);
    return pages;
  }
  const kinds = (events: Event[]) => events.map(({ seq, body }) => `${seq} ${body.case}`);

  test('shows messages as they are now, and a number without a body where one was deleted', async () => {
    const id = await create(['bob']);
    const deleted = randomUUID();
    await say(id, 'ann', deleted);
    await say(id, 'bob');
    await service.messaging.deleteMessage({
      appId,
      id: deleted,
      userId: 'ann',
      mode: DeletionMode.ALL_PARTICIPANTS,
    });
    const { events } = await service.changeLog.listConversationEvents({
      appId,
      conversationId: id,
      firstSeq: 2,
      lastSeq: 4,
    });
    expect(kinds(events)).toEqual(['2 undefined', '3 messageCreated', '4 messageDeleted']);
    expect(events[1]?.body.value).toMatchObject({
      message: { position: 2, sender: { userId: 'bob', displayName: 'BOB' }, parts: [{ body: 'hello' }] },
    });
    expect(kinds((await replay('bob')).flat())).toEqual([
      '1 conversationCreated',
      '3 messageCreated',
      '4 messageDeleted',
    ]);
    const part = await service.changeLog.listConversationEvents({
      appId,
      conversationId: id,
      firstSeq: 3,
      lastSeq: 3,
    });
    expect(part.events).toEqual([events[1]]);
    const none = { appId: randomUUID(), conversationId: id, firstSeq: 1 };
    expect((await service.changeLog.listConversationEvents(none)).events).toEqual([]);
  });

  test('replays to a user their memberships: the conversation when they are added, the removal, then nothing', async () => {
    const id = await create(['bob']);
    await say(id);
    await patch(id, remove('bob'));
    await say(id);
    await patch(id, setMetadata(['a'], '1'));
    await patch(id, add('bob'));
    await say(id);
    const events = (await replay('bob')).flat();
    expect(kinds(events)).toEqual([
      '1 conversationCreated',
      '2 messageCreated',
      '3 conversationUpdated',
      '6 conversationCreated',
      '7 messageCreated',
    ]);
    expect(events[3]?.body.value).toMatchObject({ conversation: { id, metadata: { a: '1' } } });
    expect((await replay('eve')).flat()).toEqual([]);
  });

  test('keeps messages of blocked senders from a user, and replays only the hiding to one who left', async () => {
    await service.ctx.db.execute({
      text: 'insert into block_copy (app_id, blocked_user_id, owner_user_id) values ($1, $2, $3)',
      values: [appId, 'mallory', 'bob'],
    });
    const id = await create(['bob', 'mallory']);
    await say(id, 'mallory');
    await service.messaging.deleteConversation({
      appId,
      id,
      userId: 'bob',
      mode: DeletionMode.MY_DEVICES,
      leave: true,
    });
    expect(kinds((await replay('bob')).flat())).toEqual(['1 conversationCreated', '3 conversationHidden']);
    expect(kinds((await replay('mallory')).flat())).toEqual([
      '1 conversationCreated',
      '2 messageCreated',
      '4 conversationUpdated',
    ]);
  });

  test('is replayed by time within a page, and from a time on', async () => {
    const conversations = await Promise.all([create(['bob']), create(['bob']), create(['bob'])]);
    for (let n = 0; n < 9; n++) await say(conversations[n % 3]!);
    const [page = []] = await replay('bob');
    expect(page).toHaveLength(12);
    const times = page.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const later = Math.max(...times) + 5001;
    expect((await replay('bob', { fromTimestamp: later })).flat()).toEqual([]);
    expect((await replay('bob', { fromTimestamp: later - 1 })).flat()).not.toEqual([]);
    expect(
      await problemIn(
        service.changeLog.listUserEvents({ appId, userId: 'bob', fromTimestamp: 0, cursor: 'x' }),
      ),
    ).toBe('invalid_property: cursor');
  });

  test("is read from an age on by the service's clock, independent of the caller's", async () => {
    await create(['bob']);
    const read = async (fromMsAgo: number) =>
      (
        await service.changeLog.listUserEvents({
          appId,
          userId: 'bob',
          fromTimestamp: Date.now() + 3_600_000,
          fromMsAgo,
        })
      ).events;
    expect(kinds(await read(1))).toEqual(['1 conversationCreated']);
    expect(await read(0)).toEqual([]);
  });

  test('of 10,000 changes is read page by page, each change once, while more are written', async () => {
    const conversations = await Promise.all(Array.from({ length: 20 }, () => create(['bob'])));
    const parts = [{ id: randomUUID(), mimeType: 'text/plain', body: 'hello' }];
    for (let n = 0; n < 42; n++) {
      const items = Array.from({ length: 240 }, (_, m) => ({
        appId,
        conversationId: conversations[m % 20]!,
        id: randomUUID(),
        senderId: 'ann',
        parts,
      }));
      await service.messaging.sendMessages({ items });
    }
    const [pages] = await Promise.all([replay('bob'), say(conversations[0]!)]);
    expect(pages.length).toBeGreaterThanOrEqual(20);
    const seqs = Map.groupBy(pages.flat(), ({ conversationId }) => conversationId);
    for (const id of conversations) {
      const got = seqs.get(id)!.map(({ seq }) => seq);
      expect(got.slice(0, 505)).toEqual(Array.from({ length: 505 }, (_, n) => n + 1));
    }
  });
});
