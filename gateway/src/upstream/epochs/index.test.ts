import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { create } from '@bufbuild/protobuf';
import { createTestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/testing';
import { createEpochs, type Epochs } from './index.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let epochs: Epochs;
afterEach(() => epochs.stop());

/** Two logs, the first of which is that of conversations, and the epochs they name. */
async function start() {
  const clock = createTestClock(0);
  const state = { epochs: ['m1', 'i1'], isOld: false, asked: 0, told: [] as number[], changes: 0 };
  const logs = state.epochs.map((_, index) =>
    createClient(
      ChangeLogService,
      createRouterTransport(({ service }) => {
        service(ChangeLogService, {
          getEpoch: ({ told }) => {
            if (index === 0) state.told = told.map(({ seq }) => seq);
            state.asked += 1;
            if (state.isOld) throw new ConnectError('an older release', Code.Unimplemented);
            return { epoch: state.epochs[index] ?? '' };
          },
        });
      }),
    ),
  );
  epochs = createEpochs({ conversationLog: logs[0]!, changeLogs: logs, clock, log });
  epochs.onChange(() => (state.changes += 1));
  /** Resolves when all logs have been asked again. */
  async function asked(): Promise<void> {
    const before = state.asked;
    await until(() => (clock.advance(2_000), state.asked >= before + 4 || undefined), {
      withinMs: 10_000,
      what: 'all logs are asked twice',
    });
  }
  await asked();
  return { clock, state, asked };
}

test('the first epoch of each log is no change, and another one is', async () => {
  const { state, asked } = await start();
  expect(state.changes).toBe(0);
  expect(['', 'm1', 'i1', 'm2'].map((epoch) => epochs.isCurrent(epoch))).toEqual([true, true, true, false]);
  state.epochs[0] = 'm2';
  await asked();
  expect(state.changes).toBe(1);
  expect(['m1', 'i1', 'm2'].map((epoch) => epochs.isCurrent(epoch))).toEqual([false, true, true]);
});

test('a replica that names the epoch before changes nothing, until it has named it for long', async () => {
  const { clock, state, asked } = await start();
  state.epochs[0] = 'm2';
  await asked();
  state.epochs[0] = 'm1';
  await asked();
  expect([state.changes, epochs.isCurrent('m2')]).toEqual([1, true]);
  clock.advance(30_000);
  await asked();
  expect([state.changes, epochs.isCurrent('m1')]).toEqual([2, true]);
});

test('services of the last release, and a database that does not tell, change nothing', async () => {
  const { state, asked } = await start();
  state.isOld = true;
  await asked();
  state.isOld = false;
  state.epochs = ['', ''];
  await asked();
  expect([state.changes, epochs.isCurrent('m1')]).toEqual([0, true]);
});

test('a message of another epoch has all logs asked at once', async () => {
  const { state } = await start();
  const before = state.asked;
  epochs.suspect();
  epochs.suspect();
  await until(() => state.asked > before + 1 || undefined, { withinMs: 10_000, what: 'the logs are asked' });
});

test('the last changes that were told go with the question, and are forgotten with their epoch', async () => {
  const { state, asked } = await start();
  for (let seq = 1; seq <= 10; seq++) epochs.told(create(EventSchema, { seq }));
  await asked();
  expect(state.told.toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  state.epochs[0] = 'm2';
  await asked();
  expect(state.told).toEqual([]);
});
