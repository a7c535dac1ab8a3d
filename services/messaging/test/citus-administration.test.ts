import { CellAdminService, type CellMove } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { createTestDatabaseFor, describeWith, until } from '@parley/testing';
import { createRoom, draft, trySend } from './support/actions.ts';
import { placeOf, untilMove } from './support/moves.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/scaling.md#commands

const CELLS = 'citus:2';
/** The one with the applications of the tests. */
const CELL = 'p01';
const MOVED_WITHIN_MS = 120_000;

describeWith('citus', 'cells of Citus as operators see and move them', () => {
  let url: string;
  let services: TestMessaging[];

  const start = async (): Promise<TestMessaging> => {
    const env = { PARLEY_CELLS: CELLS, PARLEY_DATABASE_URL: url };
    const service = await startMessaging({ env, isDirect: true, appCounts: [1, 1] });
    services.push(service);
    return service;
  };

  beforeAll(async () => {
    services = [];
    url = await createTestDatabaseFor(CELLS);
    await start();
  }, 120_000);
  afterAll(() => Promise.all(services.map((service) => service.stop())));

  const administration = () => services.at(-1)!.channel.client(CellAdminService);

  const place = () => placeOf(services.at(-1)!, CELL);
  const listMoves = async () => (await administration().listCells({})).moves;

  test('cells are listed with their nodes, sizes and applications', async () => {
    const { kind, cells, nodes, isCoordinatorAway } = await administration().listCells({});
    expect([kind, isCoordinatorAway]).toEqual(['citus', false]);
    expect(cells.map(({ name, state, appCount }) => [name, state, appCount])).toEqual([
      ['p00', 'open', 1],
      ['p01', 'open', 1],
    ]);
    expect(nodes.filter(({ isCoordinator }) => isCoordinator)).toMatchObject([{ takesCells: false }]);
    for (const { byteCount = 0, node } of cells) {
      expect(byteCount).toBeGreaterThan(100_000);
      expect(nodes.map(({ address }) => address)).toContain(node);
    }
    expect(nodes.every(({ isReachable }) => isReachable)).toBe(true);
  });

  test('a cell moves while messages are sent, with progress, and asking again tells of the same move', async () => {
    const room = await createRoom(services[0]!, ['ann', 'bob']);
    const { cell, at, target } = await place();
    const { move } = await administration().moveCell({ cell, target });
    expect(move).toMatchObject({ cell, source: at, target });
    let sent = 0;
    const over = untilMove(
      services[0]!,
      cell,
      ({ state, requestedAt }) => state === 'moved' && requestedAt === move?.requestedAt,
    );
    let isOver = false;
    void over.finally(() => (isOver = true));
    while (!isOver) {
      expect(await trySend(services[0]!, draft(room, 'ann'))).toBe('sent');
      sent += 1;
    }
    await over;
    expect(sent).toBeGreaterThan(10);
    expect((await administration().moveCell({ cell, target })).move).toBeUndefined();
    expect((await place()).at).toBe(target);
    expect((await listMoves()).filter((one) => one.cell === cell)).toHaveLength(1);
  }, 240_000);

  test('a move that would lose something is refused, and leaves no trace', async () => {
    const { cell, target, coordinator } = await place();
    const before = await listMoves();
    const refused: [string, string, RegExp][] = [
      ['p09', target, /There is no cell p09/],
      [`p01'; drop table x; --`, target, /There is no cell/],
      [cell, 'nowhere:5432', /no active node nowhere:5432: cells may be on/],
      [cell, coordinator, /takes no cells/],
    ];
    for (const [name, to, message] of refused)
      await expect(administration().moveCell({ cell: name, target: to })).rejects.toThrow(message);
    expect(await listMoves()).toEqual(before);
  });

  test('a move goes on when the process that runs it ends, and another one finds its end', async () => {
    const { cell, target, coordinator } = await place();
    const { move } = await administration().moveCell({ cell, target });
    const isThis = ({ requestedAt }: CellMove) => requestedAt === move?.requestedAt;
    await untilMove(services[0]!, cell, (one) => isThis(one) && one.state === 'moving');
    await expect(administration().moveCell({ cell, target: coordinator })).rejects.toThrow(
      /wait until it is there/,
    );
    await services.shift()!.stop();
    await start();
    const ended = await untilMove(services[0]!, cell, (one) => isThis(one) && one.finishedAt > 0);
    expect([ended.state, ended.error, (await place()).at]).toEqual(['moved', '', target]);
  }, 240_000);

  test('cells are added on the nodes, and an interrupted addition is completed', async () => {
    const add = async () => (await administration().addCells({ count: 3 })).isDone || undefined;
    await add();
    await services.shift()!.stop();
    await start();
    await until(add, { withinMs: MOVED_WITHIN_MS, what: 'the cells are ready' });
    const { cells } = await administration().listCells({});
    expect(cells.map(({ name, state }) => [name, state])).toEqual([
      ['p00', 'open'],
      ['p01', 'open'],
      ['p02', 'added'],
    ]);
    expect(cells[2]?.node).not.toBe('');
  }, 240_000);
});
