import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { run } from '../src/run.ts';

const NODES = ['node-1:5432', 'node-2:5432'].map((address) => {
  return { address, takesCells: true, isReachable: true, byteCount: 3_145_728, cellCount: 1 };
});
const CELLS = [
  { name: 'p00', node: 'node-1:5432', byteCount: 2_097_152, appCount: 12, state: 'open' },
  { name: 'p01', node: '', state: 'making' },
];
const MOVE = {
  cell: 'p00',
  source: 'node-1:5432',
  target: 'node-2:5432',
  requestedAt: 7,
  totalByteCount: 2_097_152,
};

let server: Server;
let platform: Partial<ServiceImpl<typeof CellAdminService>>;

beforeAll(async () => {
  const handle = connectNodeAdapter({
    requestPathPrefix: '/admin/rpc',
    routes: (router) =>
      router.service(CellAdminService, {
        listCells: (request, call) => platform.listCells!(request, call),
        addCells: (request, call) => platform.addCells!(request, call),
        moveCell: (request, call) => platform.moveCell!(request, call),
      }),
  });
  server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function cells(...args: string[]) {
  const lines: string[] = [];
  const { port } = server.address() as AddressInfo;
  const code = await run(['cells', ...args], {
    env: { PARLEY_URL: `http://127.0.0.1:${port}`, PARLEY_ADMIN_TOKEN: 'secret' },
    folder: '/',
    print: (text) => lines.push(...text.split('\n').filter((line) => line !== '')),
    printError: (text) => lines.push(text.trim()),
  });
  return { code, lines };
}

test('cells, nodes and moves are listed, and what is not known is shown as such', async () => {
  platform = {
    listCells: () => ({
      kind: 'citus',
      cells: CELLS,
      nodes: [...NODES, { address: 'node-3:5432', takesCells: false }],
      moves: [{ ...MOVE, state: 'moving', phase: 'Copying Data', copiedByteCount: 1_048_576 }],
    }),
  };
  expect(await cells('list')).toEqual({
    code: 0,
    lines: [
      'kind: citus',
      'cell  node         size   applications  state',
      'p00   node-1:5432  2 MiB  12            open',
      'p01   ?            ?      ?             making',
      'node         size   cells  state',
      'node-1:5432  3 MiB  1',
      'node-2:5432  3 MiB  1',
      'node-3:5432  ?      0      takes no cells, does not answer',
      'move  from         to           state   progress',
      'p00   node-1:5432  node-2:5432  moving  Copying Data, 1 of 2 MiB',
    ],
  });
});

test('adding asks once, tells how far it is, and which setting to change at the end', async () => {
  const asked: number[] = [];
  const later = ['making', 'added'];
  platform = {
    addCells: ({ count }) => {
      asked.push(count);
      return { readyCount: 2, isDone: false };
    },
    listCells: () => ({
      kind: 'schemas',
      cells: ['open', 'open', 'added', later.shift() ?? 'added'].map((state) => ({ state })),
    }),
  };
  const { code, lines } = await cells('add', '--to', '4');
  expect([code, lines.slice(0, 3)]).toEqual([
    0,
    ['2 of 4 cells are ready', '3 of 4 cells are ready', '4 of 4 cells are ready'],
  ]);
  expect(lines[3]).toMatch(/^Set PARLEY_CELLS=4 for messaging/);
  expect(asked).toEqual([4]);
});

test('a move is followed until the cell is there, also while the coordinator is away', async () => {
  const states = [
    { moves: [{ ...MOVE, state: 'moving', phase: 'Catching Up' }] },
    { isCoordinatorAway: true },
    { moves: [{ ...MOVE, state: 'waiting', attemptCount: 2, error: 'server closed the connection' }] },
    { moves: [{ ...MOVE, state: 'moved' }] },
  ];
  platform = {
    moveCell: () => ({ move: { ...MOVE, state: 'waiting' } }),
    listCells: () => states.shift()!,
  };
  expect(await cells('move', 'p00', 'node-2:5432')).toEqual({
    code: 0,
    lines: [
      'p00 to node-2:5432: waiting',
      'p00 to node-2:5432: Catching Up, 0 of 2 MiB',
      'The coordinator does not answer; waiting for it.',
      'p00 to node-2:5432: Catching Up, 0 of 2 MiB',
      'p00 to node-2:5432: waiting, attempt 2, server closed the connection',
      'p00 is at node-2:5432.',
    ],
  });
});

test('a move that is given up or refused ends with exit code 1 and its reason', async () => {
  platform = {
    moveCell: () => ({ move: { ...MOVE, state: 'moving' } }),
    listCells: () => ({ moves: [{ ...MOVE, state: 'failed', error: 'the disk is full' }] }),
  };
  const failed = await cells('move', 'p00', 'node-2:5432');
  expect([failed.code, failed.lines.at(-1)]).toEqual([1, 'parley: p00 was not moved: the disk is full']);
  platform = {
    moveCell: () => {
      throw new ConnectError('There is no cell p09.', Code.InvalidArgument);
    },
  };
  expect((await cells('move', 'p09', 'node-2:5432')).code).toBe(1);
});

test('a number of cells that is none is refused before the platform is asked', async () => {
  platform = {};
  for (const to of ['0', '-1', '2.5', 'all', '100']) expect((await cells('add', '--to', to)).code).toBe(1);
});
