import { randomUUID } from 'node:crypto';
import { createClient, type Client } from '@connectrpc/connect';
import { expectProblem } from '@parley/domain/testing/problems';
import { hashUser } from '@parley/usage/distinct';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import type { GetFiguresRequestSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { FigureService, type FiguresSchema } from '@parley/proto/parley/identity/v1/figure_service_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { CALL_TIMEOUT_MS } from '@parley/testing';
import { sweepFigures } from '../src/timers/sweep-figures.ts';
import { createTestApp } from './support/app.ts';
import { startIdentity, type Platform } from './support/platform.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let platform: Platform;
let recording: Client<typeof FigureService>;
let channel: { close(): void };
let appUuid: string;
/** A minute of its own for each test: one in the morning of a day of its own, since steps begin where days do. */
let minute: number;

beforeAll(async () => {
  platform = await startIdentity();
  const { config } = platform.service.context;
  const opened = createRpcChannel({
    address: `127.0.0.1:${platform.service.address.rpc_port}`,
    secret: config.rpcSecret,
    log: createLogger({ service: 'test', level: 'silent' }),
    timeoutMs: CALL_TIMEOUT_MS,
  });
  recording = createClient(FigureService, opened.transport);
  channel = opened;
});
afterAll(async () => {
  channel?.close();
  await platform?.stop();
});
beforeEach(async () => {
  appUuid = (await createTestApp(platform)).uuid;
  const now = platform.clock.now();
  minute = Math.ceil(now / DAY_MS) * DAY_MS + HOUR_MS;
  platform.clock.advance(minute - now);
});

type Counted = MessageInitShape<typeof FiguresSchema> & { appId?: string; users?: readonly string[] };

function process(processId: string = randomUUID()) {
  let batch = 0;
  return {
    processId,
    record: (...counted: Counted[]) => {
      batch += 1;
      const minutes = counted.map(({ appId = appUuid, users = [], ...figures }) => ({
        appId,
        figures: { start: minute, ...figures },
        userHashes: users.map((user) => hashUser(appId, user)),
      }));
      return { batch, done: recording.recordFigures({ processId, batch, minutes }), minutes };
    },
  };
}

async function figures(request: MessageInitShape<typeof GetFiguresRequestSchema> = {}, at = platform) {
  const span = { from: minute, to: minute + MINUTE_MS };
  return (await at.admin.getFigures({ appUuid, ...span, ...request })).figures;
}

test('figures of several processes are added up, for the application and the platform, and stay', async () => {
  const [one, other] = [process(), process()];
  const { uuid: otherApp } = await createTestApp(platform);
  await Promise.all([
    one.record({ messages: 3, requests: 5, sockets: 2, latenessMs: 10, maxLatenessMs: 7 }).done,
    other.record({ messages: 4, sockets: 1, maxLatenessMs: 9 }, { appId: otherApp, messages: 1 }).done,
  ]);
  await one.record({ messages: 1 }, { appId: '', failedRequests: 1 }).done;
  const expected = { messages: 8, requests: 5, sockets: 3, latenessMs: 10, maxLatenessMs: 9 };
  expect(await figures()).toMatchObject([{ start: minute, ...expected, failedRequests: 0 }]);
  expect(await figures({ appUuid: '' })).toMatchObject([{ messages: 9, sockets: 3, failedRequests: 1 }]);
  const { databaseUrl } = platform.service.context.config;
  const restarted = await startIdentity({ databaseUrl });
  try {
    expect(await figures({}, restarted)).toMatchObject([expected]);
  } finally {
    await restarted.stop();
  }
});

test('a repeated batch counts once', async () => {
  const { processId, record } = process();
  const { batch, done, minutes } = record({ messages: 3 });
  await Promise.all([done, recording.recordFigures({ processId, batch, minutes })]);
  await recording.recordFigures({ processId, batch, minutes });
  expect(await figures()).toMatchObject([{ messages: 3 }]);
  await record({ messages: 1 }).done;
  await recording.recordFigures({ processId, batch, minutes });
  expect(await figures()).toMatchObject([{ messages: 4 }]);
});

test('a user is counted once in a step, however many processes and minutes have seen them', async () => {
  const [one, other] = [process(), process()];
  await one.record({ users: ['ada', 'bob'] }).done;
  await other.record({ users: ['bob', 'cem'] }, { start: minute + MINUTE_MS, users: ['ada', 'dov'] }).done;
  const span = { to: minute + 2 * MINUTE_MS };
  expect((await figures(span)).map(({ activeUsers }) => activeUsers)).toEqual([3, 2]);
  const inSteps = await figures({ from: minute, to: minute + HOUR_MS, stepInSeconds: 86_400 });
  expect(inSteps).toMatchObject([{ activeUsers: 4 }]);
  const users = Array.from({ length: 3_000 }, (_, index) => `user-${index}`);
  await one.record({ users: users.slice(0, 2_000) }).done;
  await other.record({ users: users.slice(1_000) }).done;
  const [estimated] = await figures();
  expect(Math.abs((estimated?.activeUsers ?? 0) - 3_003)).toBeLessThan(300);
});

test('steps have sums, the most sockets of a minute, and zeros where nothing was counted', async () => {
  const begin = Math.floor(minute / HOUR_MS) * HOUR_MS;
  const { record } = process();
  await record(
    { start: begin, messages: 1, sockets: 5 },
    { start: begin + 9 * MINUTE_MS, messages: 2, sockets: 4 },
    { start: begin + 10 * MINUTE_MS, messages: 4 },
  ).done;
  const steps = await figures({ from: begin + 1, to: begin + 30 * MINUTE_MS, stepInSeconds: 600 });
  expect(steps.map(({ start, messages, sockets }) => [start - begin, messages, sockets])).toEqual([
    [0, 3, 5],
    [10 * MINUTE_MS, 4, 0],
    [20 * MINUTE_MS, 0, 0],
  ]);
  const { figures: byDefault } = await platform.admin.getFigures({ appUuid });
  const now = platform.clock.now();
  expect(byDefault.at(0)!.start).toBeLessThanOrEqual(now - HOUR_MS);
  expect(byDefault.at(-1)!.start).toBeLessThanOrEqual(now);
  expect(byDefault.at(-1)!.start).toBeGreaterThan(now - 2 * MINUTE_MS);
});

test('a span is as long as it is asked for, before its end', async () => {
  const to = Math.floor(minute / HOUR_MS) * HOUR_MS;
  const steps = await figures({ to, from: undefined, lengthInSeconds: 7_200, stepInSeconds: 3_600 });
  expect(steps.map(({ start }) => start)).toEqual([to - 2 * HOUR_MS, to - HOUR_MS]);
  const { figures: last } = await platform.admin.getFigures({ appUuid, lengthInSeconds: 60 });
  expect(last.at(-1)!.start).toBeGreaterThan(platform.clock.now() - 2 * MINUTE_MS);
  expect(last.length).toBeLessThanOrEqual(2);
});

test('figures of an application that does not exist count for the platform alone', async () => {
  const { record } = process();
  await platform.admin.deleteApp({ appUuid });
  await record({ messages: 2 }, { appId: randomUUID(), messages: 4 }, { appId: 'x', messages: 8 }).done;
  const rows = await platform.db.query({
    text: 'select app_id from figure where minute = to_timestamp($1::float8 / 1000) and messages > 0',
    values: [minute],
  });
  expect(rows).toHaveLength(1);
  expect(await figures({ appUuid: '' })).toMatchObject([{ messages: 14 }]);
  await expectProblem(figures(), 'not_found');
});

test('what a process sends by mistake is no figure', async () => {
  const { record } = process();
  await record({
    messages: -1,
    requests: 0.5,
    sockets: NaN,
    latenessMs: Infinity,
    scheduledMessages: 2 ** 60,
  }).done;
  const none = { messages: 0, requests: 0, sockets: 0, latenessMs: 0, scheduledMessages: 0 };
  expect(await figures()).toMatchObject([none]);
});

test.each([
  [{ stepInSeconds: 59 }, 'step_in_seconds'],
  [{ stepInSeconds: 90_000 }, 'step_in_seconds'],
  [{ stepInSeconds: NaN }, 'step_in_seconds'],
  [{ lengthInSeconds: 0 }, 'length_in_seconds'],
  [{ lengthInSeconds: 0.5 }, 'length_in_seconds'],
  [{ lengthInSeconds: NaN }, 'length_in_seconds'],
  [{ lengthInSeconds: 1_601 * 60 }, 'length_in_seconds'],
  [{ from: 0 }, 'from'],
  [{ from: 0.5 }, 'from'],
  [{ from: 1e300 }, 'from'],
  [{ from: 3 * HOUR_MS, to: HOUR_MS }, 'from'],
  [{ to: Infinity }, 'to'],
])('%j is refused', async (request, property) => {
  await expectProblem(platform.admin.getFigures(request), 'invalid_property', { property });
});

test('figures are kept for a day, and then deleted', async () => {
  const { record } = process();
  await record({ messages: 1 }).done;
  const last = { from: minute, to: minute + MINUTE_MS };
  platform.clock.advance(25 * HOUR_MS);
  await sweepFigures(platform.service.context);
  expect(await figures(last)).toMatchObject([{ messages: 1 }]);
  platform.clock.advance(2 * HOUR_MS);
  await sweepFigures(platform.service.context);
  expect(await figures(last)).toMatchObject([{ messages: 0 }]);
  for (const table of ['figure', 'figure_process'])
    expect(await platform.db.execute({ text: `select from ${table}` })).toBe(0);
});

test('metrics name the busiest applications, with the mean of the last five minutes', async () => {
  const { uuid: quiet } = await createTestApp(platform);
  const app = process();
  await app.record(
    { messages: 50, requests: 20, socketDeliveries: 100, webhookDeliveries: 30, pushDeliveries: 20 },
    { start: minute + MINUTE_MS, messages: 10 },
    { appId: quiet, messages: 5 },
    { appId: '', requests: 15 },
    // Too old, and not complete.
    { start: minute - HOUR_MS, messages: 1000 },
    { start: minute + 2 * MINUTE_MS, messages: 1000 },
  ).done;
  platform.clock.advance(minute + 2 * MINUTE_MS + 15_000 - platform.clock.now());
  const lines = (await platform.service.context.metrics.registry.metrics())
    .split('\n')
    .filter((line) => /^app_\w+_per_minute/.test(line));
  const series = (name: string, appId: string) =>
    `app_${name}_per_minute{app_id="${appId}",service="identity"}`;
  expect(lines.toSorted()).toEqual(
    [
      `${series('messages', appUuid)} 12`,
      `${series('messages', quiet)} 1`,
      `${series('messages', 'other')} 0`,
      `${series('requests', appUuid)} 4`,
      `${series('requests', 'other')} 3`,
      `${series('deliveries', appUuid)} 30`,
      `${series('deliveries', 'other')} 0`,
    ].toSorted(),
  );
});
