import { createTestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRequestLog } from './request-log.ts';

type Line = { level: string; msg: string; status: number; appId?: string; omitted?: number };

function open(options: { share?: number; level?: 'info' | 'debug' } = {}) {
  const lines: Line[] = [];
  const clock = createTestClock(0);
  const log = createLogger({
    service: 'gateway',
    level: options.level ?? 'info',
    destination: { write: (text) => void lines.push(JSON.parse(text) as Line) },
  });
  const requestLog = createRequestLog({
    log,
    clock,
    slowMs: 1_000,
    share: options.share ?? 0,
  });
  return {
    lines,
    pass: (ms: number) => clock.advance(ms),
    note: (status: number, ms: number, appId = 'a') =>
      requestLog.answered(status, ms, () => ({ method: 'GET', route: '/conversations', appId })),
    refuseUpgrade: (status: number) =>
      requestLog.upgradeRefused(status, 1, { method: 'GET', route: '/websocket' }),
  };
}

test('refused, failed and slow requests have a line, others have none', () => {
  const { lines, note } = open();
  for (const [status, ms] of [[200, 999], [404, 1], [429, 1], [503, 1], [500, 1], [200, 1_000]] as const) note(status, ms); // prettier-ignore
  expect(lines.map(({ level, msg, status }) => [level, msg, status])).toEqual([
    ['info', 'request refused', 429],
    ['info', 'request refused', 503],
    ['info', 'request refused', 500],
    ['info', 'slow request', 200],
  ]);
});

test('a share of the others has a line', () => {
  const { lines, note } = open({ share: 0.25 });
  for (let index = 0; index < 100; index++) note(200, 1);
  expect(lines.length).toBe(25);
});

test('a refused upgrade has a line whatever its status', () => {
  const { lines, refuseUpgrade } = open();
  for (const status of [400, 401, 429]) refuseUpgrade(status);
  expect(lines.map(({ msg, status }) => [msg, status])).toEqual([
    ['upgrade refused', 400],
    ['upgrade refused', 401],
    ['upgrade refused', 429],
  ]);
});

test('all requests have a line at debug', () => {
  const { lines, note } = open({ level: 'debug' });
  note(200, 1);
  expect(lines.map(({ level }) => level)).toEqual(['debug']);
});

test('an application that is refused all the time leaves room for the lines of others', () => {
  const { lines, note, pass } = open();
  for (let index = 0; index < 1_000; index++) note(429, 1, 'noisy');
  note(429, 1, 'quiet');
  pass(200);
  note(429, 1, 'noisy');
  expect(lines.filter(({ appId }) => appId === 'noisy').length).toBe(51);
  expect(lines.filter(({ appId }) => appId === 'quiet').map(({ omitted }) => omitted)).toEqual([950]);
  expect(lines.at(-1)?.omitted).toBe(undefined);
});

test('many applications together write at most 500 lines at once', () => {
  const { lines, note } = open();
  for (let index = 0; index < 2_000; index++) note(503, 1, `app ${index}`);
  expect(lines.length).toBe(500);
});
