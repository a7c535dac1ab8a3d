import { randomUUID } from 'node:crypto';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { EventBatch } from '@parley/proto/parley/event/v1/event_pb';
import { send } from '../model/driver.ts';
import { add, remove, set, setMetadata, unset, type Operation } from '../support/patches.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

/** Many patches of one conversation wait for each other; their speed depends on the machine. */
const PATCHED_WITHIN_MS = 30_000;

describe('patching a conversation', () => {
  let service: TestMessaging;
  const appId = randomUUID();

  beforeAll(async () => void (service = await startMessaging()));
  afterAll(() => service.stop());

  async function create(participantIds = ['ann', 'bob'], more: object = {}): Promise<string> {
    const request = { appId, userId: 'ann', participantIds, ...more };
    return (await service.messaging.createConversation(request)).conversation!.id;
  }
  const patch = (id: string, operations: Operation[], userId = 'ann') =>
    problemIn(
      service.messaging.updateConversation(
        { appId, id, userId, operations },
        { timeoutMs: PATCHED_WITHIN_MS },
      ),
    );
  const get = async (id: string, userId = 'ann') =>
    (await service.messaging.getConversation({ appId, id, userId })).conversation!;
  const events = async (conversationId: string): Promise<EventBatch['events']> =>
    (await service.changeLog.listConversationEvents({ appId, conversationId, firstSeq: 1 })).events;

  test('and deleting or leaving one reports the number of participants; hiding one or deleting it again reports 0', async () => {
    const id = await create(['ann', 'bob', 'cat']);
    const end = async (userId: string, mode: DeletionMode, leave = false) =>
      (await service.messaging.deleteConversation({ appId, id, userId, mode, leave })).participantCount;
    expect(await end('bob', DeletionMode.MY_DEVICES)).toBe(0);
    expect(await end('bob', DeletionMode.MY_DEVICES, true)).toBe(3);
    expect(await end('ann', DeletionMode.ALL_PARTICIPANTS)).toBe(2);
    expect(await end('ann', DeletionMode.ALL_PARTICIPANTS)).toBe(0);
  });

  test('is one change with one event, or none at all', async () => {
    const id = await create();
    expect(
      await patch(id, [setMetadata(['a', 'b'], '1'), add('cat'), remove('bob'), setMetadata(['c'], '2')]),
    ).toBe('success');
    const conversation = await get(id);
    expect(conversation).toMatchObject({ seq: 2, membersSeq: 2, metadata: { a: { b: '1' }, c: '2' } });
    expect(conversation.participants.map(({ userId }) => userId)).toEqual(['ann', 'cat']);
    const { body } = (await events(id))[1]!;
    expect(body).toMatchObject({
      case: 'conversationUpdated',
      value: {
        added: [{ userId: 'cat', displayName: 'CAT' }],
        removedUserIds: ['bob'],
        distinctCleared: false,
      },
    });
    expect(await patch(id, [setMetadata(['c'], '3'), add('nobody')])).toBe('invalid_property: participants');
    expect(await patch(id, [add('dan'), setMetadata(['c'], 'x'.repeat(2048))])).toBe(
      'invalid_property: metadata',
    );
    expect(await get(id)).toEqual(conversation);
    expect(await events(id)).toHaveLength(2);
  });

  test.each<[string, Operation[]]>([
    ['adds who is there', [add('bob')]],
    ['removes who is not', [remove('dan')]],
    ['sets the participants to those there are', [set(['bob', 'ann'])]],
    ['sets metadata to what it is', [setMetadata(['a'], '1')]],
    ['deletes metadata that is not there', [unset(['b', 'c'])]],
    ['undoes itself', [add('dan'), setMetadata(['a'], '2'), remove('dan'), setMetadata(['a'], '1')]],
  ])('that %s changes nothing and emits no event', async (_, operations) => {
    const id = await create(['ann', 'bob'], { distinct: true, metadata: { a: '1' } });
    const before = await get(id);
    expect(await patch(id, operations)).toBe('success');
    expect(await get(id)).toEqual(before);
    await service.messaging.deleteConversation({ appId, id });
  });

  test('of very many steps has an event of what they change in all', async () => {
    const id = await create();
    const steps = Array.from({ length: 900 }, (_, n) => setMetadata(['a'], String(n % 2).repeat(1_000)));
    expect(await patch(id, steps)).toBe('success');
    const { body } = (await events(id))[1]!;
    const operations = body.case === 'conversationUpdated' ? body.value.operations : [];
    expect(operations).toHaveLength(1);
    expect(operations).toMatchObject([steps.at(-1)!]);
  });

  test('is refused when its metadata are too large between two steps, and at once', async () => {
    const id = await create();
    const grown = Array.from({ length: 1_000 }, (_, n) => setMetadata([`key-${n}`], 'x'.repeat(700)));
    const shrunk = grown.map((_, n) => unset([`key-${n}`]));
    expect(await patch(id, [...grown, ...shrunk])).toBe('invalid_property: metadata');
    expect(await get(id)).toMatchObject({ seq: 1, metadata: {} });
  });

  test('concurrently loses no patch', async () => {
    const id = await create(['ann']);
    const patches = Array.from({ length: 60 }, (_, n) =>
      patch(id, n % 2 ? [add(`joined-${n}`)] : [setMetadata([`key-${n}`], String(n))]),
    );
    expect(new Set(await Promise.all(patches))).toEqual(new Set(['success']));
    const conversation = await get(id);
    expect(conversation.seq).toBe(61);
    expect(conversation.participants).toHaveLength(31);
    expect(Object.keys(conversation.metadata ?? {})).toHaveLength(30);
    expect((await events(id)).map(({ seq }) => seq)).toEqual(Array.from({ length: 61 }, (_, n) => n + 1));
  });

  test('never exceeds 250 participants, with any number of concurrent patches', async () => {
    const id = await create(Array.from({ length: 240 }, (_, n) => `many-${n}`));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => patch(id, [add(`more-${n}`)])));
    expect(answers.filter((answer) => answer === 'success')).toHaveLength(9);
    expect(answers.filter((answer) => answer === 'invalid_property: participants')).toHaveLength(11);
    expect((await get(id)).participants).toHaveLength(250);
  });

  test('cannot add a user who blocks the caller; other callers can', async () => {
    const id = await create(['ann', 'mallory']);
    await service.ctx.db.execute({
      text: 'insert into block_copy (app_id, blocked_user_id, owner_user_id) values ($1, $2, $3)',
      values: [appId, 'mallory', 'victim'],
    });
    expect(await patch(id, [add('victim')], 'mallory')).toBe('participant_blocked: participants');
    expect(await patch(id, [add('victim')])).toBe('success');
    expect(await patch(id, [add('victim')], 'mallory')).toBe('success');
  });

  test('of participants makes a conversation not distinct; of metadata does not', async () => {
    const id = await create(['ann', 'zoe'], { distinct: true });
    await patch(id, [setMetadata(['a'], '1')]);
    expect((await get(id)).distinct).toBe(true);
    await patch(id, [add('bob'), remove('zoe')]);
    expect((await get(id)).distinct).toBe(false);
    expect((await events(id)).at(-1)?.body).toMatchObject({ value: { distinctCleared: true } });
  });

  test('by a removed user is refused; the user keeps earlier messages and sees no later ones', async () => {
    const id = await create();
    await send(service, { appId, conversationId: id, id: randomUUID(), senderId: 'ann' });
    expect(await patch(id, [remove('bob')], 'bob')).toBe('success');
    await send(service, { appId, conversationId: id, id: randomUUID(), senderId: 'ann' });
    expect(await patch(id, [setMetadata(['a'], '1')], 'bob')).toBe('access_denied');
    expect(await patch(id, [setMetadata(['a'], '1')], 'eve')).toBe('not_found');
    expect(await get(id, 'bob')).toMatchObject({
      participants: [],
      userView: { totalMessageCount: 1, unreadMessageCount: 0, lastMessage: { position: 1 } },
    });
    const deletion = { appId, id, userId: 'bob', mode: DeletionMode.ALL_PARTICIPANTS };
    expect(await problemIn(service.messaging.deleteConversation(deletion))).toBe('access_denied');
    expect(await patch(id, [add('bob')])).toBe('success');
    expect(await get(id, 'bob')).toMatchObject({ userView: { totalMessageCount: 2, unreadMessageCount: 1 } });
  });

  test('may remove the last participant; a server may add users again', async () => {
    const id = await create(['ann']);
    expect(await patch(id, [remove('ann')])).toBe('success');
    expect(await patch(id, [add('bob')], '')).toBe('success');
    expect((await get(id, 'bob')).participants.map(({ userId }) => userId)).toEqual(['bob']);
  });

  test('or reading a deleted one: not found for users, gone for a server; deleting again succeeds', async () => {
    const id = await create();
    const deletion = { appId, id, mode: DeletionMode.ALL_PARTICIPANTS };
    expect(await problemIn(service.messaging.deleteConversation({ ...deletion, userId: 'eve' }))).toBe(
      'not_found',
    );
    expect(await problemIn(service.messaging.deleteConversation({ ...deletion, userId: 'bob' }))).toBe(
      'success',
    );
    expect(await problemIn(service.messaging.deleteConversation({ ...deletion, userId: 'bob' }))).toBe(
      'success',
    );
    expect(await problemIn(service.messaging.deleteConversation({ ...deletion, userId: '' }))).toBe(
      'success',
    );
    expect(await problemIn(service.messaging.deleteConversation({ ...deletion, userId: 'eve' }))).toBe(
      'not_found',
    );
    expect(await patch(id, [add('dan')])).toBe('not_found');
    expect(await patch(id, [add('dan')], '')).toBe('object_deleted');
    expect(await problemIn(get(id, ''))).toBe('object_deleted');
    expect(await problemIn(get(id))).toBe('not_found');
    expect((await events(id)).map(({ seq, body }) => [seq, body.case])).toEqual([
      [1, undefined],
      [2, 'conversationDeleted'],
    ]);
  });
});
