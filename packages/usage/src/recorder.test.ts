import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { FigureService, type RecordFiguresRequest } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { until } from '@parley/testing';
import { createTestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { hashUser } from './distinct.ts';
import { FLUSH_EVERY_MS, startFigures } from './recorder.ts';

const MINUTE_MS = 60_000;
const BEGIN = 1_800_000_000_000;

/** A recorder with a clock of its own, before an identity service that notes what it gets. */
function start() {
  const clock = createTestClock(BEGIN);
  const got: RecordFiguresRequest[] = [];
  const state = { isAway: false };
  const transport = createRouterTransport(({ service }) =>
    service(FigureService, {
      recordFigures(req) {
        got.push(req);
        if (state.isAway) throw new ConnectError('away', Code.Unavailable);
        return {};
      },
    }),
  );
  const log = createLogger({ service: 'test', level: 'silent' });
  const figures = startFigures({ client: createClient(FigureService, transport), clock, log });
  async function flushed(count: number): Promise<RecordFiguresRequest[]> {
    clock.advance(FLUSH_EVERY_MS);
    await until(() => got.length >= count || undefined, { what: `batch ${count} comes`, withinMs: 10_000 });
    // The recorder takes the answer before it notices the end of the flush.
    await new Promise((resolve) => setImmediate(resolve));
    return got;
  }
  return { clock, figures, got, state, flushed };
}

test('counts by application and minute, and sends each count once', async () => {
  const { clock, figures, flushed } = start();
  figures.add('a', 'messages', 2);
  figures.add('a', 'messages');
  figures.add('b', 'requests');
  const [first] = await flushed(1);
  expect(first).toMatchObject({
    batch: 1,
    minutes: [
      { appId: 'a', figures: { start: BEGIN, messages: 3, requests: 0 } },
      { appId: 'b', figures: { start: BEGIN, messages: 0, requests: 1 } },
    ],
  });
  figures.add('a', 'messages');
  clock.advance(MINUTE_MS - 2 * FLUSH_EVERY_MS);
  await flushed(2);
  figures.late('a', 30);
  figures.late('a', 10);
  const batches = await flushed(3);
  expect(batches.map(({ batch }) => batch)).toEqual([1, 2, 3]);
  expect(batches[1]).toMatchObject({ minutes: [{ figures: { start: BEGIN, messages: 1 } }] });
  const late = { scheduledMessages: 2, latenessMs: 40, maxLatenessMs: 30 };
  expect(batches[2]).toMatchObject({ minutes: [{ figures: { start: BEGIN + MINUTE_MS, ...late } }] });
  expect(new Set(batches.map(({ processId }) => processId)).size).toBe(1);
  await figures.stop();
});

test('sends a user once in a minute', async () => {
  const { figures, flushed } = start();
  figures.active('a', 'ada');
  figures.active('a', 'ada');
  const [first] = await flushed(1);
  expect(first?.minutes.map(({ userHashes }) => userHashes)).toEqual([[hashUser('a', 'ada')]]);
  figures.active('a', 'ada');
  figures.active('a', 'bob');
  const [, second] = await flushed(2);
  expect(second?.minutes.map(({ userHashes }) => userHashes)).toEqual([[hashUser('a', 'bob')]]);
  await figures.stop();
});

test('repeats a batch whose outcome is unknown with its number and contents', async () => {
  const { figures, state, flushed } = start();
  state.isAway = true;
  figures.add('a', 'messages', 1);
  await flushed(1);
  figures.add('a', 'messages', 2);
  await flushed(2);
  state.isAway = false;
  figures.add('a', 'messages', 4);
  const got = await flushed(4);
  expect(got.map(({ batch, minutes }) => [batch, minutes[0]?.figures?.messages])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
    [2, 6],
  ]);
  await figures.stop();
});

test('sends the rest when it stops', async () => {
  const { figures, got } = start();
  figures.add('', 'failedRequests');
  await figures.stop();
  expect(got).toMatchObject([{ batch: 1, minutes: [{ appId: '', figures: { failedRequests: 1 } }] }]);
});

test('sends many applications in several batches', async () => {
  const { figures, flushed } = start();
  for (let app = 0; app < 2_500; app++) figures.add(`app ${app}`, 'messages');
  const got = await flushed(3);
  expect(got.map(({ minutes }) => minutes.length)).toEqual([1_000, 1_000, 500]);
  await figures.stop();
});
