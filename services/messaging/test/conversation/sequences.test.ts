import { randomUUID } from 'node:crypto';
import { virtualShard } from '@parley/domain/events';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import {
  ListConversationsRequest_Sort as Sort,
  type ListConversationsResponse,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import fc from 'fast-check';
import { commands } from '../model/arbitraries.ts';
import { users } from '../model/commands.ts';
import { run, send, type Driver } from '../model/driver.ts';
import {
  apply,
  createModel,
  isListed,
  listedAt,
  present,
  seenMetadata,
  seenText,
  unreadMessages,
  visibleMessages,
  type ModelConversation,
} from '../model/model.ts';
import { add, remove } from '../support/patches.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';
import { guardVersions } from '../support/version-guard.ts';

describe('conversations, after each step of any sequence', () => {
  let service: TestMessaging;
  let clock: TestClock;

  beforeAll(async () => {
    clock = createTestClock(Date.now());
    service = await startMessaging({ clock });
    await guardVersions(service);
  });
  afterAll(() => service.stop());

  test('are listed and shown to each user as a naive model says', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const driver: Driver = { service, clock, appId: randomUUID(), model: createModel(clock.now()) };
        for (const command of sequence) {
          const id = randomUUID();
          const answer = await run(driver, command, id);
          expect([command, answer]).toEqual([command, apply(driver.model, command, id)]);
          await Promise.all(users.map((user) => compare(driver, user)));
        }
        await compareForServer(driver);
        await compareLogs(driver);
      }),
      { numRuns: 8 },
    );
  }, 240_000);

  test('keep their place by last message for a removed user, regardless of later messages', async () => {
    const appId = randomUUID();
    const create = async () =>
      (await service.messaging.createConversation({ appId, userId: 'ann', participantIds: ['bob'] }))
        .conversation!.id;
    const say = async (conversationId: string) => {
      clock.advance(10);
      await send(service, { appId, conversationId, id: randomUUID(), senderId: 'ann' });
    };
    const list = async (userId: string) => {
      const answer = await service.messaging.listConversations({ appId, userId, sort: Sort.LAST_MESSAGE });
      return answer.conversations.map(({ id }) => id);
    };
    const [first, second] = [await create(), await create()];
    await say(first);
    await say(second);
    await service.messaging.updateConversation({ appId, id: first, operations: [remove('bob')] });
    await say(first);
    expect(await list('ann')).toEqual([first, second]);
    expect(await list('bob')).toEqual([second, first]);
    await service.messaging.updateConversation({ appId, id: first, operations: [add('bob')] });
    expect(await list('bob')).toEqual([first, second]);
  });
});

async function compare(driver: Driver, user: string): Promise<void> {
  const { model } = driver;
  const listed = model.conversations.filter((one) => isListed(one, user));
  const byCreation = await listAll(driver, { userId: user, sort: Sort.CREATED_AT });
  expect(byCreation.map(toSeen)).toEqual(
    newestFirst(listed, (one) => one.createdAt).map((one) => expected(one, user)),
  );
  const byMessage = await listAll(driver, { userId: user, sort: Sort.LAST_MESSAGE });
  expect(byMessage.map(({ id }) => id)).toEqual(
    newestFirst(listed, (one) => sortedAt(one, user)).map(({ id }) => id),
  );
  const comparisons = model.conversations.map(async (conversation) => {
    const get = driver.service.messaging.getConversation({
      appId: driver.appId,
      id: conversation.id,
      userId: user,
    });
    await compareTexts(driver, conversation, user);
    if (!listed.includes(conversation)) expect(await problemIn(get)).toBe('not_found');
    else expect((await get).conversation).toEqual(byCreation.find(({ id }) => id === conversation.id));
  });
  await Promise.all(comparisons);
}

/** The messages that a user sees say what they said last before the user left. */
async function compareTexts(
  { service, appId }: Driver,
  conversation: ModelConversation,
  userId: string,
): Promise<void> {
  if (conversation.deleted || !conversation.standings.has(userId)) return;
  const { messages } = await service.messaging.listMessages({
    appId,
    conversationId: conversation.id,
    userId,
    pageSize: 100,
  });
  const seen = visibleMessages(conversation, userId).toReversed();
  expect(messages.map(({ parts }) => parts[0]?.body)).toEqual(
    seen.map((message) => seenText(conversation, userId, message)),
  );
}

async function compareForServer(driver: Driver): Promise<void> {
  const existing = driver.model.conversations.filter((one) => !one.deleted);
  const listed = await listAll(driver, { userId: '', sort: Sort.CREATED_AT });
  expect(listed.map(({ id }) => id)).toEqual(
    newestFirst(existing, (one) => one.createdAt).map(({ id }) => id),
  );
  for (const { participants, userView, id } of listed) {
    const conversation = existing.find((one) => one.id === id)!;
    expect(participants.map(({ userId }) => userId)).toEqual(present(conversation).sort());
    expect(userView).toBeUndefined();
    const [row] = await driver.service.ctx.db.query<{ audience_shards: string }>({
      text: 'select audience_shards from conversation where app_id = $1 and id = $2',
      values: [driver.appId, id],
    });
    const shards = present(conversation).map(virtualShard);
    expect([...row!.audience_shards].flatMap((bit, shard) => (bit === '1' ? shard : []))).toEqual(
      [...new Set(shards)].sort((a, b) => a - b),
    );
  }
}

/** Lists page by page, two conversations each; every page reports the total. */
async function listAll(
  { service, appId }: Driver,
  list: { userId: string; sort: Sort },
): Promise<Conversation[]> {
  const conversations: Conversation[] = [];
  for (let fromId = ''; ; fromId = conversations.at(-1)!.id) {
    const page: ListConversationsResponse = await service.messaging.listConversations({
      appId,
      ...list,
      fromId,
      pageSize: 2,
    });
    conversations.push(...page.conversations);
    if (page.conversations.length < 2) {
      expect(page.total).toBe(conversations.length);
      return conversations;
    }
  }
}

function newestFirst(
  conversations: ModelConversation[],
  at: (one: ModelConversation) => number,
): ModelConversation[] {
  return conversations.toSorted((a, b) => at(b) - at(a) || (a.id < b.id ? 1 : -1));
}

function sortedAt(conversation: ModelConversation, user: string): number {
  const standing = conversation.standings.get(user)!;
  return standing.present ? listedAt(conversation, user) : standing.leftMessageAt;
}

function toSeen({ id, participants, distinct, metadata, userView, createdAt }: Conversation) {
  return {
    id,
    createdAt,
    distinct,
    metadata,
    participants: participants.map(({ userId }) => userId),
    unread: userView?.unreadMessageCount,
    total: userView?.totalMessageCount,
    last: userView?.lastMessage?.id,
    lastText: userView?.lastMessage?.parts[0]?.body,
    lastIsUnread: userView?.lastMessage?.isUnread,
  };
}

function expected(conversation: ModelConversation, user: string): ReturnType<typeof toSeen> {
  const visible = visibleMessages(conversation, user);
  const unread = unreadMessages(conversation, user);
  const last = visible.at(-1);
  return {
    id: conversation.id,
    createdAt: conversation.createdAt,
    distinct: conversation.distinct,
    metadata: seenMetadata(conversation, user),
    participants: conversation.standings.get(user)!.present ? present(conversation).sort() : [],
    unread: unread.length,
    total: visible.length,
    last: last?.id,
    lastText: last && seenText(conversation, user, last),
    lastIsUnread: last && unread.includes(last),
  };
}

/** Users replay from any time the changes that they got since, except deleted objects. */
async function compareLogs({ service, appId, model }: Driver): Promise<void> {
  for (const userId of users) {
    for (const fromTimestamp of [0, model.now - 6000]) {
      const events = [];
      let cursor = '';
      do {
        const page = await service.changeLog.listUserEvents({
          appId,
          userId,
          fromTimestamp,
          cursor,
          pageSize: 3,
        });
        expect(page.complete).toBe(fromTimestamp > 0);
        events.push(...page.events);
        cursor = page.cursor;
      } while (cursor);
      const since = model.log.filter(({ at, kinds }) => at >= fromTimestamp - 5000 && kinds.has(userId));
      const owed = since.filter(
        ({ kinds, conversation, message, removed }) =>
          !(
            conversation.deleted &&
            /^(conversation|message)(Created|Updated|PartsChanged)$/.test(kinds.get(userId)!) &&
            !removed?.includes(userId)
          ) &&
          (!message || isShown(conversation, userId, message.position)),
      );
      for (const conversation of model.conversations) {
        const gone = since.filter(
          (one) => one.conversation === conversation && one.message && !owed.includes(one),
        );
        const returns = hasReturned(conversation, userId) ? gone.map(({ seq }) => seq) : [];
        const all = events.filter(({ conversationId }) => conversationId === conversation.id);
        const replayed = all.filter(({ seq }) => !returns.includes(seq));
        const again = all.filter(({ seq }) => returns.includes(seq));
        expect(again.at(-1)?.seq).toBe(returns.at(-1));
        for (const { body } of again) expect(body.case).toBe('conversationCreated');
        const wanted = owed.filter((one) => one.conversation === conversation);
        expect(replayed.map(({ seq, body }) => [seq, body.case, textIn(body)])).toEqual(
          wanted.map(({ seq, kinds, message }) => [
            seq,
            kinds.get(userId),
            message && seenText(conversation, userId, message),
          ]),
        );
      }
    }
  }
}

/** Text of the message in a change. */
function textIn(body: Event['body']): string | undefined {
  return body.case === 'messageCreated' || body.case === 'messagePartsChanged'
    ? body.value.message?.parts[0]?.body
    : undefined;
}

/**
 * A conversation was hidden and brought back. Its deleted messages are replayed as the conversation, since one of them
 * brought it back.
 */
function hasReturned(conversation: ModelConversation, user: string): boolean {
  const unlistedAt = conversation.standings.get(user)?.unlistedAt;
  return unlistedAt !== undefined && isListed(conversation, user);
}

function isShown({ messages, standings }: ModelConversation, user: string, position: number): boolean {
  const { hiddenUntil, hidden, unseen } = standings.get(user)!;
  return (
    !messages[position - 1]!.deleted &&
    position > hiddenUntil &&
    !hidden.has(position) &&
    !unseen.has(position)
  );
}
