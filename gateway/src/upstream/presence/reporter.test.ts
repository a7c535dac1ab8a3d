import { createClient, createRouterTransport } from '@connectrpc/connect';
import { createTestClock, systemClock, type TestClock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { currentContext, runInContext, type RequestContext } from '@parley/kit/runtime/request-context';
import {
  PresenceService,
  PresenceStatus,
  type PresenceReport,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import { createPresenceReporter, type PresenceReporter } from './reporter.ts';

const ada = { appId: 'app', userId: 'ada' };
const log = { warn: () => undefined } as unknown as Logger;

type Call = { context: RequestContext | undefined; reports: PresenceReport[] };

let calls: Call[];

beforeEach(() => {
  calls = [];
});

/** Refuses a report made within a request whose deadline has passed, as the real client does. */
function startReporter(clock = systemClock, answer = () => {}) {
  const transport = createRouterTransport(({ service }) => {
    service(PresenceService, {
      reportPresences: ({ reports }) => {
        const context = currentContext();
        calls.push({ context, reports });
        if (context?.deadline !== undefined && context.deadline <= clock.elapsed())
          throw new Error('too late');
        answer();
        return {};
      },
    });
  });
  return createPresenceReporter({ presences: createClient(PresenceService, transport), clock, log });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a report that a request causes is not bound to the deadline of that request', async () => {
  const reporter = startReporter();
  const request = { requestId: 'r', deadline: performance.now() + 5_000 };
  await runInContext(request, () => reporter.choose(ada, PresenceStatus.BUSY));
  reporter.stop();
  expect(calls).toMatchObject([{ context: undefined, reports: [{ status: PresenceStatus.BUSY }] }]);
});

test('a choice is answered once it is recorded, however many reports of other users wait behind it', async () => {
  const clock = createTestClock(0);
  const reporter = startReporter(clock);
  const chosen = reporter.choose(ada, PresenceStatus.BUSY);
  for (let user = 0; user < 5_000; user += 1) reporter.joined({ appId: 'other', userId: `user-${user}` });
  clock.advance(100);
  await chosen;
  expect(calls).toHaveLength(1);
  reporter.stop();
});

test('a gateway goes on reporting after the deadline of a request that chose', async () => {
  const clock = createTestClock(0);
  const reporter = startReporter(clock);
  reporter.joined(ada);
  await runInContext({ requestId: 'r', deadline: 5_000 }, async () => {
    const chosen = reporter.choose(ada, PresenceStatus.BUSY);
    clock.advance(100);
    await chosen;
  });
  for (let reports = 1; reports < 5; reports += 1) {
    await settled();
    expect(calls).toHaveLength(reports);
    clock.advance(3_000);
  }
  reporter.stop();
  expect(clock.now()).toBeGreaterThan(10_000);
  expect(calls.map(({ context }) => context)).toEqual(calls.map(() => undefined));
});

describe('a user id that another person gets', () => {
  const reportsOf = () => calls.flatMap(({ reports }) => reports);
  const [first, second] = [
    { ...ada, incarnation: 1 },
    { ...ada, incarnation: 2 },
  ];

  async function reported(steps: (reporter: PresenceReporter, clock: TestClock) => void) {
    const clock = createTestClock(0);
    const reporter = startReporter(clock);
    reporter.joined(first);
    clock.advance(100);
    await settled();
    calls = [];
    steps(reporter, clock);
    for (let round = 0; round < 5; round += 1) {
      clock.advance(3_000);
      await settled();
    }
    reporter.stop();
    return reportsOf().map(({ connected, incarnation, status }) => [incarnation, connected, status]);
  }

  test('is reported again, although the first one has just left', async () => {
    const steps = (reporter: PresenceReporter) => {
      reporter.left(first);
      reporter.joined(second);
    };
    expect(await reported(steps)).toEqual([[2, true, 0]]);
  });

  test('is reported again while a socket of the first one is still open, and is gone with the last socket', async () => {
    const steps = (reporter: PresenceReporter, clock: TestClock) => {
      reporter.joined(second);
      clock.advance(1_000);
      reporter.left(first);
    };
    expect(await reported(steps)).toEqual([
      [2, true, 0],
      [2, false, 0],
    ]);
  });

  test('does not show what the first one chose', async () => {
    const steps = (reporter: PresenceReporter) => {
      void reporter.choose(first, PresenceStatus.BUSY);
      reporter.joined(second);
      void reporter.choose(first, PresenceStatus.AWAY);
    };
    expect(await reported(steps)).toEqual([[2, true, 0]]);
  });

  test('is not reported again when the same person is back at once', async () => {
    const steps = (reporter: PresenceReporter) => {
      reporter.left(first);
      reporter.joined(first);
    };
    expect(await reported(steps)).toEqual([]);
  });
});

test('what users choose while a report of them has failed is reported with it', async () => {
  const clock = createTestClock(0);
  let refusals = 1;
  const reporter = startReporter(clock, () => {
    if (refusals-- > 0) throw new Error('identity is away');
  });
  reporter.joined(ada);
  clock.advance(100);
  const chosen = reporter.choose(ada, PresenceStatus.BUSY);
  await settled();
  clock.advance(1_000);
  await chosen;
  reporter.stop();
  expect(calls.at(-1)?.reports).toMatchObject([{ connected: true, status: PresenceStatus.BUSY }]);
});
