import { randomUUID } from 'node:crypto';
import { CreateConversationResponse_Outcome as Outcome } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

describe('creating a conversation', () => {
  let service: TestMessaging;
  const appId = randomUUID();

  beforeAll(async () => void (service = await startMessaging()));
  afterAll(() => service.stop());

  const create = (request: object) =>
    service.messaging.createConversation({ appId, userId: 'ann', ...request });

  test('adds the creator, and shows the participants to each other', async () => {
    const { outcome, conversation } = await create({ participantIds: ['bob'], metadata: { a: { b: 'c' } } });
    expect(outcome).toBe(Outcome.CREATED);
    expect(conversation).toMatchObject({
      seq: 1,
      membersSeq: 1,
      distinct: false,
      metadata: { a: { b: 'c' } },
    });
    expect(conversation?.participants.map((one) => [one.userId, one.displayName])).toEqual([
      ['ann', 'ANN'],
      ['bob', 'BOB'],
    ]);
    for (const userId of ['ann', 'bob']) {
      const shown = await service.messaging.getConversation({ appId, userId, id: conversation!.id });
      expect(shown.conversation).toEqual(conversation);
    }
    expect(
      await problemIn(service.messaging.getConversation({ appId, userId: 'eve', id: conversation!.id })),
    ).toBe('not_found');
    const byServer = await service.messaging.getConversation({ appId, id: conversation!.id });
    expect(byServer.conversation).toEqual({ ...conversation, userView: undefined });
  });

  test.each([
    ['without participants', { userId: '', participantIds: [] }, 'invalid_property: participants'],
    ['a participant without an identity', { participantIds: ['nobody'] }, 'invalid_property: participants'],
    [
      'too many',
      { participantIds: Array.from({ length: 250 }, (_, n) => `user-${n}`) },
      'invalid_property: participants',
    ],
    ['250 of them', { participantIds: Array.from({ length: 249 }, (_, n) => `user-${n}`) }, 'success'],
    [
      'metadata of more than 2048 bytes',
      { participantIds: ['bob'], metadata: { a: 'é'.repeat(1021) } },
      'invalid_property: metadata',
    ],
    ['metadata of 2048 bytes', { participantIds: ['bob'], metadata: { a: 'é'.repeat(1020) } }, 'success'],
  ])('with %s', async (_, request, problem) => {
    expect(await problemIn(create(request))).toBe(problem);
  });

  test('is refused with a user who blocks the creator, but allowed to a server', async () => {
    await service.ctx.db.execute({
      text: 'insert into block_copy (app_id, blocked_user_id, owner_user_id) values ($1, $2, $3)',
      values: [appId, 'mallory', 'ann'],
    });
    const participantIds = ['ann', 'mallory'];
    expect(await problemIn(create({ userId: 'mallory', participantIds }))).toBe(
      'participant_blocked: participants',
    );
    expect(await problemIn(create({ userId: 'ann', participantIds }))).toBe('success');
    expect(await problemIn(create({ userId: '', participantIds }))).toBe('success');
  });

  test('with a taken id is refused, and shows the conversation to users who may see it', async () => {
    const id = randomUUID();
    await create({ id, participantIds: ['bob'] });
    const again = await create({ id, participantIds: ['carol'] });
    expect(again).toMatchObject({ outcome: Outcome.ID_IN_USE, conversation: { id } });
    const byStranger = await create({ id, userId: 'eve', participantIds: [] });
    expect(byStranger).toMatchObject({ outcome: Outcome.ID_IN_USE });
    expect(byStranger.conversation).toBeUndefined();
    await service.messaging.deleteConversation({ appId, id });
    const afterDeletion = await create({ id, participantIds: ['bob'] });
    expect(afterDeletion.outcome).toBe(Outcome.ID_IN_USE);
    expect(afterDeletion.conversation).toBeUndefined();
  });

  test('finds its own row when the call is repeated', async () => {
    const request = { id: randomUUID(), requestId: randomUUID(), participantIds: ['bob'] };
    const first = await create(request);
    const second = await create(request);
    expect(second).toEqual(first);
    expect(second.outcome).toBe(Outcome.CREATED);
    expect(await create({ ...request, requestId: randomUUID() })).toMatchObject({
      outcome: Outcome.ID_IN_USE,
    });
    const distinct = { requestId: randomUUID(), distinct: true, participantIds: ['own-row'] };
    const { conversation } = await create(distinct);
    expect(await create(distinct)).toEqual({ ...first, conversation, outcome: Outcome.CREATED });
  });

  test('as distinct finds the existing one with the same participants unless the metadata differs', async () => {
    const first = await create({
      distinct: true,
      participantIds: ['dan'],
      metadata: { a: '1', b: { c: '2' } },
    });
    expect(first).toMatchObject({ outcome: Outcome.CREATED, conversation: { distinct: true } });
    const id = first.conversation!.id;
    const ask = (metadata?: object, userId = 'ann') =>
      create({ distinct: true, userId, participantIds: ['dan', 'ann'], ...(metadata && { metadata }) });
    expect(await ask()).toMatchObject({ outcome: Outcome.EXISTING, conversation: { id } });
    expect(await ask(undefined, 'dan')).toMatchObject({ outcome: Outcome.EXISTING, conversation: { id } });
    expect(await ask({ b: { c: '2' }, a: '1' })).toMatchObject({ outcome: Outcome.EXISTING });
    expect(await ask({})).toMatchObject({
      outcome: Outcome.CONFLICT,
      conversation: { id, metadata: { a: '1' } },
    });
    expect(await create({ participantIds: ['dan'] })).toMatchObject({ outcome: Outcome.CREATED });
    expect(await create({ distinct: true, participantIds: ['dan', 'eve'] })).toMatchObject({
      outcome: Outcome.CREATED,
    });
  });

  test('40 times at once with the same participants makes one conversation', async () => {
    const members = ['race-1', 'race-2', 'race-3'];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        create({ distinct: true, userId: members[n % 3], participantIds: members, requestId: randomUUID() }),
      ),
    );
    expect(new Set(answers.map(({ conversation }) => conversation?.id)).size).toBe(1);
    expect(answers.filter(({ outcome }) => outcome === Outcome.CREATED)).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === Outcome.EXISTING)).toHaveLength(39);
    const list = await service.messaging.listConversations({ appId, userId: 'race-1', pageSize: 100 });
    expect(list.total).toBe(1);
  });

  test('is possible again once the participants changed or the distinct one was deleted, even concurrently', async () => {
    const members = ['churn-1', 'churn-2'];
    const ask = () => create({ distinct: true, userId: 'churn-1', participantIds: members });
    const first = await ask();
    await service.messaging.updateConversation({
      appId,
      id: first.conversation!.id,
      operations: [{ step: { case: 'addParticipant', value: 'churn-3' } }],
    });
    const second = await ask();
    expect(second.outcome).toBe(Outcome.CREATED);
    const rounds = Array.from({ length: 10 }, async () => {
      const { conversation } = await ask();
      await service.messaging.deleteConversation({ appId, id: conversation!.id });
    });
    await Promise.all(rounds);
    const { total, conversations } = await service.messaging.listConversations({
      appId,
      userId: 'churn-1',
      pageSize: 100,
    });
    expect(total).toBe(1);
    expect(conversations[0]).toMatchObject({ id: first.conversation!.id, distinct: false });
  });

  test('as distinct brings back one that the caller had hidden, without its old messages', async () => {
    const { conversation } = await create({ distinct: true, participantIds: ['hidden-friend'] });
    const id = conversation!.id;
    await send(id, 'ann');
    await service.messaging.deleteConversation({ appId, id, userId: 'ann', mode: 2 });
    expect(await problemIn(service.messaging.getConversation({ appId, id, userId: 'ann' }))).toBe(
      'not_found',
    );
    const back = await create({ distinct: true, participantIds: ['hidden-friend'] });
    expect(back).toMatchObject({
      outcome: Outcome.EXISTING,
      conversation: { id, userView: { totalMessageCount: 0 } },
    });
    expect(back.conversation?.userView?.lastMessage).toBeUndefined();
    expect(await problemIn(service.messaging.getConversation({ appId, id, userId: 'ann' }))).toBe('success');
    const other = await service.messaging.getConversation({ appId, id, userId: 'hidden-friend' });
    expect(other.conversation?.userView).toMatchObject({ totalMessageCount: 1, unreadMessageCount: 1 });
  });

  async function send(conversationId: string, senderId: string): Promise<void> {
    const { results } = await service.messaging.sendMessages({
      items: [
        {
          appId,
          conversationId,
          id: randomUUID(),
          senderId,
          parts: [{ id: randomUUID(), mimeType: 'text/plain', body: 'hi' }],
        },
      ],
    });
    expect(results[0]?.outcome.case).toBe('sent');
  }
});
