import { ConnectError } from '@connectrpc/connect';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { until } from '@parley/testing';
import { createRoom } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/scaling.md#commands

let service: TestMessaging;
afterEach(() => service?.stop());

async function start(cells: string): Promise<void> {
  service = await startMessaging({ env: { PARLEY_CELLS: cells }, appCounts: [3, 1] });
}

const administration = () => service.channel.client(CellAdminService);

async function addUntilDone(count: number): Promise<number[]> {
  const counts: number[] = [];
  await until(
    async () => {
      const { readyCount, isDone } = await administration().addCells({ count });
      counts.push(readyCount);
      return isDone || undefined;
    },
    { withinMs: 60_000, what: 'the cells are ready' },
  );
  return counts;
}

test('cells are listed with the server, their sizes and applications, and whether they take new ones', async () => {
  await start('3');
  await createRoom(service, ['ann', 'bob']);
  const { kind, cells, nodes, moves } = await administration().listCells({});
  expect([kind, moves]).toEqual(['schemas', []]);
  expect(cells.map(({ name, state, appCount }) => [name, state, appCount])).toEqual([
    ['p00', 'open', 3],
    ['p01', 'open', 1],
    ['p02', 'closed', 0],
  ]);
  const [node] = nodes;
  expect(nodes).toMatchObject([{ isReachable: true, takesCells: true, isCoordinator: false, cellCount: 3 }]);
  for (const cell of cells) {
    expect(cell.node).toBe(node?.address);
    expect(cell.byteCount).toBeGreaterThan(100_000);
    expect(cell.byteCount).toBeLessThan(node?.byteCount ?? 0);
  }
});

test('the one cell of a usual installation is listed, and there is nothing to add or to move', async () => {
  await start('1');
  const { kind, cells } = await administration().listCells({});
  expect([kind, cells.map(({ name, appCount }) => [name, appCount])]).toEqual(['one', [['public', 3]]]);
  await expect(administration().addCells({ count: 2 })).rejects.toThrow(/not in cells/);
  await expect(administration().moveCell({ cell: 'public', target: 'a:1' })).rejects.toThrow(/kind one/);
});

test('cells are added while the service runs, told of as they become ready, and asking again finds them', async () => {
  await start('2');
  const counts = await addUntilDone(4);
  expect([counts[0], counts.at(-1)]).toEqual([2, 4]);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  const { cells } = await administration().listCells({});
  expect(cells.map(({ name, state }) => [name, state])).toEqual([
    ['p00', 'open'],
    ['p01', 'open'],
    ['p02', 'added'],
    ['p03', 'added'],
  ]);
  expect(await addUntilDone(4)).toEqual([4]);
  await createRoom(service, ['ann', 'bob']);
});

test('a cell that cannot be made is told of with the reason, and made once nothing is in its way', async () => {
  await start('2');
  await service.ctx.db.query({ text: 'create schema p02' });
  await service.ctx.db.query({ text: `comment on schema p02 is 'Parley: a cell that is making'` });
  await service.ctx.db.query({ text: 'create table p02.conversation (id uuid)' });
  const refusal = await until(
    () =>
      administration()
        .addCells({ count: 3 })
        .then(() => undefined, ConnectError.from),
    { withinMs: 30_000, what: 'the reason' },
  );
  expect(refusal.message).toMatch(/could not be made: .*"conversation" already exists/);
  await service.ctx.db.query({ text: 'drop table p02.conversation' });
  expect((await addUntilDone(3)).at(-1)).toBe(3);
});

test('fewer cells than there are, and numbers that are none, are refused', async () => {
  await start('3');
  for (const count of [2, 1])
    await expect(administration().addCells({ count })).rejects.toThrow(/none is removed/);
  for (const count of [0, -1, 2.5, 65, Number.NaN])
    await expect(administration().addCells({ count })).rejects.toThrow(/from 1 to 64/);
  expect((await administration().listCells({})).cells).toHaveLength(3);
});

test('a cell that is one of several on one server cannot be moved', async () => {
  await start('2');
  await expect(administration().moveCell({ cell: 'p00', target: 'other:5432' })).rejects.toThrow(
    /all on one server/,
  );
  for (const request of [{ cell: 'p00' }, { target: 'other:5432' }])
    await expect(administration().moveCell(request)).rejects.toThrow(/is required/);
});
