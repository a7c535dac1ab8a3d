import { randomUUID } from 'node:crypto';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { until } from '@parley/testing';
import { createRoom, draft, send, sendAll, type Room } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/decisions/cells.md

const CELLS = 3;
let service: TestMessaging;

/** The first digit of an application's id chooses its cell. */
const cellOf = (appId: string): number => Number.parseInt(appId[0] ?? '0', 16) % CELLS;

beforeAll(
  async () => void (service = await startMessaging({ env: { PARLEY_CELLS: String(CELLS) }, cellOf })),
);
afterAll(() => service?.stop());

/** An application of a cell. */
function appIn(cell: number): string {
  return `${cell}${randomUUID().slice(1)}`;
}

function roomsOfAll(): Promise<Room[]> {
  return Promise.all([0, 1, 2].map((cell) => createRoom(service, ['ann', 'bob'], appIn(cell))));
}

/** Counts the cells in which a statement finds a row. */
function countInCells(text: string, values: unknown[]): Promise<number[]> {
  return Promise.all(service.contexts.map(({ db }) => db.execute({ text, values })));
}

test('what belongs to an application is in its cell alone', async () => {
  const room = await createRoom(service, ['ann', 'bob'], appIn(1));
  await send(service, room, 'ann');
  for (const table of ['conversation', 'message', 'participant', 'change', 'identity_copy'])
    expect(await countInCells(`select from ${table} where app_id = $1 limit 1`, [room.appId])).toEqual([
      0, 1, 0,
    ]);
});

test('a batch with messages of several cells is stored, each in its cell, and answered in the order of the request', async () => {
  const [one, two, three] = (await roomsOfAll()) as [Room, Room, Room];
  const items = [two, one, three, one, two, three].map((room) => draft(room, 'ann'));
  const bad = draft({ ...two, conversationId: randomUUID() }, 'ann');
  const { results } = await service.messaging.sendMessages({ items: [...items, bad, draft(one, 'bob')] });
  const ids = results.map(({ outcome }) =>
    outcome.case === 'sent' ? outcome.value.message?.id : outcome.case,
  );
  expect(ids.slice(0, 6)).toEqual(items.map(({ id }) => id));
  expect([ids[6], results[7]?.outcome.case]).toEqual(['problem', 'sent']);
  expect(await countInCells('select from message where id = any ($1)', [items.map(({ id }) => id)])).toEqual([
    2, 2, 2,
  ]);
});

test('receipts, unread counts and audiences of several cells are answered in the order of the request', async () => {
  const rooms = await roomsOfAll();
  const messages = await sendAll(
    service,
    rooms.map((room) => draft(room, 'ann')),
  );
  const order = [2, 0, 1, 0];
  const receipts = await service.messaging.recordReceipts({
    items: order.slice(0, 3).map((at) => {
      const { appId } = rooms[at]!;
      return { appId, userId: 'bob', messageId: messages[at]!.id, type: ReceiptType.READ };
    }),
  });
  expect(receipts.results.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);
  await send(service, rooms[0]!, 'ann');
  const items = order.map((at) => ({ ...rooms[at]!, userId: 'bob' }));
  const counts = await service.messaging.getUnreadCounts({ items });
  expect(counts.results.map(({ unreadMessageCount }) => unreadMessageCount)).toEqual([0, 1, 0, 1]);
  const { audiences } = await service.messaging.getAudiences({ items });
  expect(audiences.map(({ appId, members }) => [appId, members.length])).toEqual(
    items.map(({ appId }) => [appId, 2]),
  );
});

test('audiences of several cells end where the budget does, with the first of the request, and can be asked for one by one', async () => {
  const rooms = await roomsOfAll();
  const items = [2, 1, 0].map((at) => rooms[at]!);
  const ask = async (rest: Room[]) =>
    (await service.messaging.getAudiences({ items: rest, byteBudget: 1 })).audiences;
  const found: string[] = [];
  for (let rest = items; rest.length > 0; rest = items.slice(found.length)) {
    const audiences = await ask(rest);
    expect(audiences).toHaveLength(1);
    found.push(audiences[0]!.conversationId);
  }
  expect(found).toEqual(items.map(({ conversationId }) => conversationId));
});

test('the interest in all applications is one of all cells: it is listed once, and gone from all when it is dropped', async () => {
  const apps = [appIn(2), appIn(0), appIn(1)];
  for (const appId of apps)
    await service.interests.registerEventInterest({ appId, consumer: 'webhook', since: 0 });
  const list = async (afterAppId = '', limit = 100) =>
    (await service.interests.listEventInterests({ consumer: 'webhook', afterAppId, limit })).interests;
  const [general, ...others] = await list();
  expect(general?.appId).toBe(NIL_UUID);
  expect(others.map(({ appId }) => appId)).toEqual(apps.toSorted());
  expect((await list(others[0]!.appId, 1)).map(({ appId }) => appId)).toEqual([others[1]!.appId]);
  await service.interests.dropEventInterests({ consumer: 'webhook', interests: [general!, others[2]!] });
  expect((await list()).map(({ appId }) => appId)).toEqual(others.slice(0, 2).map(({ appId }) => appId));
  expect(
    await countInCells(`select from event_interest where app_id = $1 and consumer = 'webhook'`, [NIL_UUID]),
  ).toEqual([0, 0, 0]);
});

test('an epoch of one cell is another one of all, and the others stay in theirs', async () => {
  const rooms = await roomsOfAll();
  const before = (await service.changeLog.getEpoch({})).epoch;
  const untold = { appId: rooms[1]!.appId, conversationId: randomUUID(), seq: 7, createdAt: 1 };
  const { epoch } = await service.changeLog.getEpoch({ epoch: before, told: [untold] });
  const [one, two, three] = before.split(' ');
  const after = epoch.split(' ');
  expect([after[0], after[2]]).toEqual([one, three]);
  expect(after[1]).not.toBe(two);
  expect(service.contexts.map(({ epochs }) => epochs.current())).toEqual(after);
});

test('the jobs of each cell run beside those of the others', async () => {
  const rooms = await roomsOfAll();
  for (const room of rooms) await send(service, room, 'ann', { notification: { title: 'a', text: 'b' } });
  const isDone = async () =>
    (await countInCells('select from outbox union all select from push_order', [])).every(
      (count) => count === 0,
    ) || undefined;
  await until(isDone, {
    withinMs: 30_000,
    what: 'the events of all cells are published, and their pushes made',
  });
  const delta = await countInCells('select from conversation_count', []);
  expect(delta.every((count) => count > 0)).toBe(true);
});

test('after a restore the copies of all cells are read in one order, page by page', async () => {
  await roomsOfAll();
  const keys: string[] = [];
  for (let after = { afterAppId: '', afterUserId: '' }; ;) {
    const { copies } = await service.recovery.listIdentityCopies(after);
    const last = copies.at(-1);
    if (!last) break;
    keys.push(...copies.map(({ appId, userId }) => `${appId}/${userId}`));
    after = { afterAppId: last.appId, afterUserId: last.userId };
  }
  const rows = await Promise.all(
    service.contexts.map(({ db }) =>
      db.query<{ key: string }>({ text: `select app_id || '/' || user_id as key from identity_copy` }),
    ),
  );
  expect(keys).toEqual(
    rows
      .flat()
      .map(({ key }) => key)
      .sort(),
  );
});

test('an application that identity does not know has nothing, in no cell', async () => {
  const { appId, conversationId } = { appId: randomUUID(), conversationId: randomUUID() };
  await expect(service.messaging.getConversation({ appId, id: conversationId })).rejects.toThrow();
});
