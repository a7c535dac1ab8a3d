import { randomUUID } from 'node:crypto';
import { toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { ANSWER_BYTES, MAX_MESSAGE_BYTES } from '@parley/kit/rpc/byte-budget';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import {
  GetAudiencesResponseSchema,
  ListConversationsResponseSchema,
  ListMessagesResponseSchema,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ListScheduledMessagesResponseSchema } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { createRoom, draft, send, sendAll, type Room } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

const BUDGET = 512 * 1024;
const MEMBERS = Array.from({ length: 250 }, (_, index) => `member ${index}`);
function largest() {
  return {
    parts: Array.from({ length: 430 }, () => ({
      id: randomUUID(),
      mimeType: 'text/plain',
      body: 'x'.repeat(2040),
    })),
  };
}

let service: TestMessaging;
beforeAll(async () => void (service = await startMessaging()), 60_000);
afterAll(() => service?.stop());

function sizeOf<D extends DescMessage>(schema: D, message: MessageShape<D>) {
  return toBinary(schema, message).length;
}

/** Participants whose names have the largest allowed size. */
async function nameAll(appId: string): Promise<void> {
  await service.ctx.db.execute({
    text: `update identity_copy set display_name = repeat('𝄞', 128), avatar_url = repeat('𝄞', 1024) where app_id = $1`,
    values: [appId],
  });
}

describe('a conversation of the largest messages', () => {
  let room: Room;
  let ids: string[];

  beforeAll(async () => {
    room = await createRoom(service, ['ann', 'bob']);
    ids = [];
    for (let index = 0; index < 12; index++) ids.unshift((await send(service, room, 'ann', largest())).id);
    for (let index = 0; index < 5; index++) ids.unshift((await send(service, room, 'ann')).id);
  }, 60_000);

  test('is listed in answers that keep to the budget, none empty and none twice', async () => {
    const seen: string[] = [];
    for (let fromId = '', hasMore = true; hasMore; fromId = seen.at(-1)!) {
      const wanted = { userId: 'bob', fromId, pageSize: 100, byteBudget: BUDGET };
      const page = await service.messaging.listMessages({ ...room, ...wanted });
      expect(page.messages.length).toBeGreaterThan(0);
      if (page.messages.length > 1)
        expect(sizeOf(ListMessagesResponseSchema, page)).toBeLessThan(BUDGET * 1.1);
      expect(page.total).toBe(17);
      seen.push(...page.messages.map(({ id }) => id));
      ({ hasMore } = page);
    }
    expect(seen).toEqual(ids);
  });

  test('a page with exactly the requested size has no more', async () => {
    const wanted = { userId: 'bob', pageSize: 5, byteBudget: BUDGET };
    const { messages, hasMore } = await service.messaging.listMessages({ ...room, ...wanted });
    expect([messages.length, hasMore]).toEqual([5, false]);
  });

  test('a caller of an earlier release gets the same answer as before', async () => {
    const { messages, hasMore } = await service.messaging.listMessages({
      ...room,
      userId: 'bob',
      pageSize: 10,
    });
    expect([messages.length, hasMore]).toEqual([10, false]);
  });

  test('duplicates of them keep the shared answer within the budget', async () => {
    const items = ids.slice(5).map((id) => draft(room, 'bob', { id }));
    const { results } = await service.messaging.sendMessages({ items: [...items, draft(room, 'bob')] });
    const cases = results.map(({ outcome }) => outcome.case);
    expect(cases).toEqual([...items.map(() => 'duplicate'), 'sent']);
    const shown = results.filter(({ outcome }) => outcome.case === 'duplicate' && outcome.value.message);
    const left = results.filter(({ outcome }) => outcome.case === 'duplicate' && outcome.value.leftOut);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length + left.length).toBe(items.length);
    expect(left.length).toBeGreaterThan(0);
  });

  test('a replay of them, and a repair, is complete', async () => {
    const { appId } = room;
    const repairedIds: string[] = [];
    for (let cursor = '', more = true; more;) {
      const page = await service.changeLog.listUserEvents({ appId, userId: 'bob', fromTimestamp: 0, cursor });
      repairedIds.push(...messagesOf(page.events));
      ({ cursor } = page);
      more = cursor !== '';
    }
    expect(repairedIds.slice(0, 17)).toEqual(ids.toReversed());
    expect(await repaired(room, 18)).toEqual(repairedIds.slice(0, 17));
  });
});

function messagesOf(events: readonly Event[]): string[] {
  return events.flatMap(({ body }) => (body.case === 'messageCreated' ? [body.value.message!.id] : []));
}

async function repaired({ appId, conversationId }: Room, lastSeq: number): Promise<string[]> {
  const found: string[] = [];
  for (let firstSeq = 1; firstSeq <= lastSeq;) {
    const request = { appId, conversationId, firstSeq, lastSeq };
    const { events } = await service.changeLog.listConversationEvents(request);
    found.push(...messagesOf(events));
    firstSeq = events.at(-1)!.seq + 1;
  }
  return found;
}

describe('groups of 250 with the longest names', () => {
  let rooms: Room[];
  let appId: string;

  beforeAll(async () => {
    appId = randomUUID();
    rooms = [];
    for (let index = 0; index < 8; index++) rooms.unshift(await createRoom(service, MEMBERS, appId));
    await nameAll(appId);
  }, 60_000);
  const conversationIds = () => rooms.map(({ conversationId }) => conversationId);

  test.each(['member 3', ''])('are listed for "%s" in answers that keep to the budget', async (userId) => {
    const seen: string[] = [];
    let ids: string[] = [];
    do {
      const wanted = { appId, userId, pageSize: 100, byteBudget: BUDGET, ids };
      const page = await service.messaging.listConversations(wanted);
      expect(page.conversations).toHaveLength(1);
      expect(page.conversations[0]!.participants).toHaveLength(250);
      expect(sizeOf(ListConversationsResponseSchema, page)).toBeLessThan(MAX_MESSAGE_BYTES / 4);
      seen.push(...page.conversations.map(({ id }) => id));
      ids = page.restIds;
    } while (ids.length > 0);
    expect(seen).toEqual(conversationIds());
  });

  test('have audiences in answers that keep to the budget, for the first items of the request', async () => {
    const items = rooms.map((room) => ({ ...room, leftAfterSeq: 0 }));
    const some = await service.messaging.getAudiences({ items, byteBudget: ANSWER_BYTES });
    expect(sizeOf(GetAudiencesResponseSchema, some)).toBeLessThanOrEqual(ANSWER_BYTES);
    expect(some.audiences.map(({ conversationId }) => conversationId)).toEqual(
      conversationIds().slice(0, some.audiences.length),
    );
    expect(some.audiences[0]!.members).toHaveLength(250);
    const [one] = (await service.messaging.getAudiences({ items, byteBudget: 1 })).audiences;
    expect(one!.members).toHaveLength(250);
  });

  test('get all their changes repaired, each once', async () => {
    const [room] = rooms;
    const changes = 32;
    for (let change = 0; change < changes; change++) {
      const setMetadata = {
        path: ['change'],
        value: { kind: { case: 'stringValue' as const, value: String(change) } },
      };
      await service.messaging.updateConversation({
        appId,
        id: room!.conversationId,
        userId: 'member 3',
        operations: [{ step: { case: 'setMetadata', value: setMetadata } }],
      });
    }
    const seqs: number[] = [];
    for (let firstSeq = 1; firstSeq <= changes + 1;) {
      const request = { appId, conversationId: room!.conversationId, firstSeq, lastSeq: changes + 1 };
      const { events } = await service.changeLog.listConversationEvents(request);
      for (const { seq, body } of events) {
        const conversation = body.case === 'conversationUpdated' && body.value.conversation;
        if (conversation) expect(conversation.participants).toHaveLength(250);
        seqs.push(seq);
      }
      firstSeq = events.at(-1)!.seq + 1;
    }
    expect(seqs).toEqual(Array.from({ length: changes + 1 }, (_, index) => index + 1));
  });
});

test('large scheduled messages are all listed, by cursor', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) {
    const item = draft(room, 'ann', { ...largest(), byServer: true });
    await service.schedules.scheduleMessage({ draft: item, delayMs: 200_000 + index * 1000 });
    ids.push(item.id);
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const wanted = { ...room, pageSize: 100, byteBudget: BUDGET, cursor };
    const page = await service.schedules.listScheduledMessages(wanted);
    expect(sizeOf(ListScheduledMessagesResponseSchema, page)).toBeLessThan(BUDGET * 2);
    expect(page.total).toBe(6);
    seen.push(...page.messages.map((message) => message.draft!.id));
    ({ cursor } = page);
  } while (cursor !== '');
  expect(seen).toEqual(ids);
});

test('receipts of a user who came and went many times cover only the page', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await service.ctx.db.execute({
    text: `
      update participant set member = (
        select range_agg(int8range(number * 3, number * 3 + 1)) from generate_series(10, 50000) as number
      ) + member where app_id = $1 and user_id = 'bob'`,
    values: [room.appId],
  });
  await sendAll(service, [draft(room, 'ann'), draft(room, 'ann')]);
  const page = await service.messaging.listMessages({ ...room, userId: 'ann' });
  expect(sizeOf(ListMessagesResponseSchema, page)).toBeLessThan(10_000);
});
