import { describeWith, until } from '@parley/testing';
import { listPartitionDays } from '../src/sql/log/change-partition.ts';
import {
  createRoom,
  draft,
  listAll,
  receipt,
  send,
  trySend,
  unreadCount,
  type Room,
} from './support/actions.ts';
import { moveCell } from './support/moves.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/decisions/cells.md

describeWith('citus', 'cells that Citus has placed', () => {
  let service: TestMessaging;

  beforeAll(
    async () => void (service = await startMessaging({ env: { PARLEY_CELLS: 'citus:2' }, isDirect: true })),
    120_000,
  );
  afterAll(() => service?.stop());

  const move = () => moveCell(service, service.ctx.cell?.name ?? '');

  /** Sends messages by four senders until `work` is done. Returns the ids of those that were acknowledged. */
  async function sendMeanwhile(room: Room, work: () => Promise<void>): Promise<string[]> {
    const acknowledged: string[] = [];
    let isOver = false;
    const senders = ['ann', 'bob', 'cat', 'dan'].map(async (user) => {
      while (!isOver) {
        const item = draft(room, user);
        expect(await trySend(service, item)).toBe('sent');
        acknowledged.push(item.id);
      }
    });
    const more = (count: number) =>
      until(() => acknowledged.length >= count || undefined, { withinMs: 30_000, what: 'messages are sent' });
    await more(20);
    await work();
    await more(acknowledged.length + 20);
    isOver = true;
    await Promise.all(senders);
    return acknowledged;
  }

  async function expectStored({ appId, conversationId }: Room, ids: readonly string[]): Promise<void> {
    const rows = await service.ctx.db.query<{ id: string; position: number }>({
      text: 'select id, position from message where app_id = $1 and conversation_id = $2 order by position',
      values: [appId, conversationId],
    });
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  }

  const createBusyRoom = () => createRoom(service, ['ann', 'bob', 'cat', 'dan']);

  test('messages are stored, shown, read and deleted', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const [first, second] = [await send(service, room, 'ann'), await send(service, room, 'bob')];
    expect(await receipt(service, { ...room, userId: 'bob', messageId: first.id })).toBe('recorded');
    expect(await unreadCount(service, room, 'ann')).toBe(1);
    await service.messaging.deleteMessage({ appId: room.appId, id: second.id, mode: 1 });
    const { messages, total } = await listAll(service, room, 'ann');
    expect([messages.map(({ message }) => message.id), total]).toEqual([[first.id], 1]);
  });

  test('a cell moves twice while messages are sent: none is lost, none is doubled, none fails', async () => {
    const room = await createBusyRoom();
    const epoch = service.ctx.epochs.current();
    const ids = await sendMeanwhile(room, async () => {
      await move();
      await move();
    });
    await expectStored(room, ids);
    expect(service.ctx.epochs.current()).toBe(epoch);
  }, 240_000);

  test('a column comes and goes while messages are sent', async () => {
    const room = await createBusyRoom();
    const { tables, afterTableChange } = service.ctx;
    const ids = await sendMeanwhile(room, async () => {
      await tables.execute({ text: 'alter table message add column extra integer' });
      await afterTableChange();
    });
    await expectStored(room, ids);
    expect(await service.ctx.db.query({ text: 'select extra from message limit 1' })).toEqual([
      { extra: null },
    ]);
  }, 120_000);

  test('the change log has its partitions, and views of them', async () => {
    const days = await listPartitionDays(service.ctx.tables);
    expect(days.length).toBeGreaterThanOrEqual(4);
    for (const day of days) await service.ctx.db.query({ text: `select from change_p${day} limit 1` });
  });
});
