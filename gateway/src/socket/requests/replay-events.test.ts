import { createClient, createRouterTransport } from '@connectrpc/connect';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { SocketRequest } from './index.ts';
import { replayEvents } from './replay-events.ts';

/** A log of two pages, each complete or not. */
const logOf = (...pages: boolean[]) =>
  createClient(
    ChangeLogService,
    createRouterTransport(({ service }) => {
      service(ChangeLogService, {
        listUserEvents: ({ cursor }) => ({
          events: [],
          cursor: cursor === '' ? 'next' : '',
          complete: pages[cursor === '' ? 0 : 1] ?? true,
        }),
      });
    }),
  );

const replay = (logs: ReturnType<typeof logOf>[]) =>
  replayEvents({
    ctx: { changeLogs: logs },
    live: { replayTo: () => ({ events: () => Promise.resolve(), finish: () => Promise.resolve() }) },
    connection: {
      caller: { appId: 'app', userId: 'ada' },
      isOpen: true,
      holdWhile: (work: () => Promise<object>) => work(),
    },
    data: { from_timestamp: '2026-01-01T00:00:00.000Z' },
  } as unknown as SocketRequest);

test.each([
  [true, [[], [], []]],
  [false, [[false], [], []]],
  [false, [[], [false], []]],
  [false, [[], [], [false]]],
  [false, [[true, false], [], []]],
] satisfies [boolean, boolean[][]][])('complete: %s, of logs that say %j', async (complete, logs) => {
  expect(await replay(logs.map((pages) => logOf(...pages)))).toEqual({ complete });
});

test('a replay ends with its connection', async () => {
  const told: string[] = [];
  const connection = {
    caller: { appId: 'app', userId: 'ada' },
    isOpen: true,
    holdWhile: (work: () => Promise<object>) => work(),
  };
  const events = () => {
    told.push('page');
    connection.isOpen = false;
    return Promise.resolve();
  };
  const finish = () => Promise.resolve(void told.push('state'));
  await replayEvents({
    ctx: { changeLogs: [logOf(), logOf()] },
    live: { replayTo: () => ({ events, finish }) },
    connection,
    data: { from_timestamp: '2026-01-01T00:00:00.000Z' },
  } as unknown as SocketRequest);
  expect(told).toEqual(['page']);
});
