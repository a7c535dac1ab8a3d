import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createRoom, send, type Room } from '../support/actions.ts';
import { createHolder, type Holder } from '../support/hold.ts';
import { setMetadata } from '../support/patches.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let holder: Holder;
beforeAll(async () => {
  service = await startMessaging();
  holder = createHolder(service);
});
afterEach(() => holder.releaseAll());
afterAll(async () => {
  await holder?.db.close();
  await service?.stop();
});

/** A call that changes a conversation; it may be repeated. */
type Call = () => Promise<unknown>;
type Kind = (appId: string) => Promise<{ room: Room; call: Call }>;

const patient = { timeoutMs: 20_000 };

/** A conversation with a message, and a call for both. */
function about(
  call: (room: Room, messageId: string) => Promise<unknown>,
): (appId: string) => Promise<{ room: Room; call: Call }> {
  return async (appId) => {
    const room = await createRoom(service, ['ann', 'bob'], appId);
    const { id } = await send(service, room, 'ann');
    return { room, call: () => call(room, id) };
  };
}

const kinds: Record<string, Kind> = {
  patches: about(({ appId, conversationId: id }) =>
    service.messaging.updateConversation(
      { appId, id, operations: [setMetadata(['key'], randomUUID())] },
      patient,
    ),
  ),
  'deletions of conversations': about(({ appId, conversationId: id }) =>
    service.messaging.deleteConversation(
      { appId, id, userId: 'ann', mode: DeletionMode.MY_DEVICES },
      patient,
    ),
  ),
  'deletions of messages': about(({ appId }, id) =>
    service.messaging.deleteMessage({ appId, id, userId: 'ann', mode: DeletionMode.MY_DEVICES }, patient),
  ),
  'edits of parts': about(({ appId }, messageId) => {
    const value = { id: randomUUID(), mimeType: 'text/plain', body: 'more' };
    return service.parts.editParts({ appId, messageId, edit: { case: 'add', value } }, patient);
  }),
  'readings of all': about((room) => service.messaging.markAllRead({ ...room, userId: 'bob' }, patient)),
  'deliveries of all': about((room) =>
    service.messaging.markAllDelivered({ ...room, userId: 'bob' }, patient),
  ),
  'creations of what there is already': async (appId) => {
    const request = { appId, userId: 'ann', participantIds: ['ann', randomUUID()], distinct: true };
    const create = () => service.messaging.createConversation(request, patient);
    const { id } = (await create()).conversation!;
    const mode = DeletionMode.MY_DEVICES;
    await service.messaging.deleteConversation({ appId, id, userId: 'ann', mode });
    return { room: { appId, conversationId: id }, call: create };
  },
};

async function countLockWaits(): Promise<number> {
  const [row] = await holder.db.query<{ count: number }>({
    text: `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  });
  return row!.count;
}

test.each(Object.entries(kinds))(
  '%s that wait for held conversations leave their application’s connections to other calls',
  async (_, make) => {
    const appId = randomUUID();
    const held = await Promise.all(Array.from({ length: 10 }, () => make(appId)));
    const free = await make(appId);
    const release = await holder.hold(held.map(({ room }) => room));
    let settled = 0;
    const waiting = held
      .flatMap(({ call }) => [call, call, call])
      .map((call) => problemIn(call()).finally(() => (settled += 1)));
    for (let round = 0; round < 5; round += 1) {
      expect(await problemIn(free.call())).toBe('success');
      expect(await countLockWaits()).toBeLessThanOrEqual(1);
    }
    expect(settled).toBe(0);
    await release();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'success'));
  },
);

test('patches that wait for a held conversation are applied in the order in which they came', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  const release = await holder.hold([room]);
  const done: string[] = [];
  const patches: Promise<unknown>[] = [];
  for (let n = 1; n <= 20; n += 1) {
    const operations = [setMetadata(['key'], String(n))];
    const patch = service.messaging.updateConversation({ appId, id, operations }, patient);
    patches.push(patch.then(() => done.push(String(n))));
    // The next call is made later than this one.
    await service.messaging.getConversation({ appId, id });
  }
  expect(done).toEqual([]);
  await release();
  await Promise.all(patches);
  expect(done).toEqual(Array.from({ length: 20 }, (_, n) => String(n + 1)));
  const { conversation } = await service.messaging.getConversation({ appId, id });
  expect(conversation!.metadata).toEqual({ key: '20' });
});

test('a call that waits too long for a held conversation fails and changes nothing', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  const release = await holder.hold([room]);
  const operations = [setMetadata(['key'], 'late')];
  const call = service.messaging.updateConversation({ appId, id, operations }, { timeoutMs: 1_500 });
  const failure = await call.then(
    () => 'success',
    ({ code }: { code: Code }) => code,
  );
  expect([Code.Unavailable, Code.DeadlineExceeded]).toContain(failure);
  await release();
  const { conversation } = await service.messaging.getConversation({ appId, id });
  expect(conversation!.metadata).toEqual({});
});
