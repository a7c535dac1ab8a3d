import { createClient, createRouterTransport } from '@connectrpc/connect';
import { problemOf } from '@parley/domain/problems';
import { createMetrics } from '@parley/kit/runtime/telemetry/metrics';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { createConcurrencyLimiter } from '../../../admission/limits/concurrency.ts';
import type { SocketRequest } from './request.ts';
import { replayEvents } from './replay-events.ts';

const perCaller = { perUser: 100, perApp: 100 };
const concurrency = createConcurrencyLimiter({
  ...{ lists: perCaller, patches: perCaller, announcementsPerApp: 1, erasuresPerApp: 1 },
  ...{ exports: { perToken: 1, perApp: 1 } },
  replays: { perSocket: 2, perUser: 3, perApp: 100, all: 100 },
});
const limits = { concurrency };
const config = { replayStallSeconds: 0.1 };
const metrics = createMetrics('gateway');
const weigh = (): void => undefined;

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
    weigh,
    ctx: { changeLogs: logs, limits, config, metrics },
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
    weigh,
    ctx: { changeLogs: [logOf(), logOf()], limits, config, metrics },
    live: { replayTo: () => ({ events, finish }) },
    connection,
    data: { from_timestamp: '2026-01-01T00:00:00.000Z' },
  } as unknown as SocketRequest);
  expect(told).toEqual(['page']);
});

test('a replay that waits for its turn holds no live packets, and fetches nothing when its connection has ended meanwhile', async () => {
  const asked: string[] = [];
  const connection = {
    caller: { appId: 'app', userId: 'ada' },
    isOpen: true,
    holdWhile: (work: () => Promise<object>) => (asked.push('held'), work()),
  };
  let letIn = (): void => undefined;
  const turn = new Promise<void>((resolve) => (letIn = resolve));
  const waiting = {
    replay: async (_socket: object, _caller: object, work: () => Promise<object>) => {
      await turn;
      return work();
    },
  };
  const replaying = replayEvents({
    weigh,
    ctx: { changeLogs: [logOf()], limits: { concurrency: waiting }, config, metrics },
    live: { replayTo: () => ({ events: () => Promise.resolve(void asked.push('page')) }) },
    connection,
    data: { from_timestamp: '2026-01-01T00:00:00.000Z' },
  } as unknown as SocketRequest);
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  connection.isOpen = false;
  letIn();
  expect(await replaying).toEqual({ complete: false });
  expect(asked).not.toContain('page');
});

/** A log without end, how often it was asked, and a socket whose client reads nothing. */
function stalledReplay() {
  const asked: string[] = [];
  const closed: number[] = [];
  const connection = {
    caller: { appId: 'app', userId: 'ada' },
    isOpen: true,
    buffered: 0,
    holdWhile: (work: () => Promise<object>) => work(),
    close(code: number) {
      closed.push(code);
      connection.isOpen = false;
    },
  };
  const log = createClient(
    ChangeLogService,
    createRouterTransport(({ service }) => {
      service(ChangeLogService, {
        listUserEvents: ({ cursor }) => {
          asked.push(cursor);
          return { events: [], cursor: `${cursor}n`, complete: true };
        },
      });
    }),
  );
  const events = async (_: unknown, untilRead: () => Promise<void> | undefined) => {
    connection.buffered += 200 * 1024;
    await untilRead();
  };
  const answer = () =>
    replayEvents({
      weigh,
      ctx: { changeLogs: [log], limits, config, metrics },
      live: { replayTo: () => ({ events, finish: () => Promise.resolve() }) },
      connection,
      data: { from_timestamp: '2026-01-01T00:00:00.000Z' },
    } as unknown as SocketRequest);
  return { asked, closed, answer };
}

test('a client that reads nothing is sent nothing more, and is closed with 1013', async () => {
  const { asked, closed, answer } = stalledReplay();
  expect(await answer()).toEqual({ complete: false });
  expect(closed).toEqual([1013]);
  expect(asked).toEqual(['', 'n', 'nn']);
});

test('a socket has at most two replays at once, and a third is refused', async () => {
  const { answer } = stalledReplay();
  const outcomes = await Promise.allSettled([answer(), answer(), answer()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  const { reason } = outcomes[2] as PromiseRejectedResult;
  expect(problemOf(reason)?.id).toBe('rate_limit_exceeded');
  expect(await answer()).toEqual({ complete: false });
});
