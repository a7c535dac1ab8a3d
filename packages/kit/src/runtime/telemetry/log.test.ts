import { createLogger, withRequestId, type LogLevel } from './log.ts';
import { runInContext } from '../request-context.ts';

function capture(level: LogLevel = 'info', pretty = false) {
  const lines: string[] = [];
  const log = createLogger({
    service: 'test',
    level,
    pretty,
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('a line is JSON with service, level and time in words', () => {
  const { log, parsed } = capture();
  log.info({ port: 1 }, 'ready');
  log.debug('not at this level');
  expect(parsed()).toEqual([
    {
      level: 'info',
      service: 'test',
      msg: 'ready',
      port: 1,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  ]);
});

test('credentials are taken out wherever they are', () => {
  const { log, lines, parsed } = capture();
  log.info(
    {
      authorization: 'Bearer abc1',
      deep: { er: [{ session_token: 'abc2 "quoted\\"', sessionToken: 'abc3' }] },
      headers: { Authorization: ['Svc abc4'], cookie: 'abc5' },
      url: 'wss://host/websocket?session_token=abc6&x=1',
      database: 'postgres://parley:abc7@host/db',
      RPC_SECRET: 'abc8',
      protocols: 'svc-3.1, svc-token.abc1-abcdefghijklmnop_qrst',
      error: new Error('rejected: Bearer abc9.abc9-abc9'),
      kept: 'token of appreciation',
    },
    'got "authorization: Bearer abc0"',
  );
  expect(lines[0]).not.toMatch(/abc\d/);
  expect(parsed()[0]).toMatchObject({
    deep: { er: [{ session_token: '[redacted]' }] },
    url: 'wss://host/websocket?session_token=[redacted]&x=1',
    database: 'postgres://parley:[redacted]@host/db',
    kept: 'token of appreciation',
  });
});

test('a line written while a request runs carries its id', async () => {
  const { log, parsed } = capture();
  await runInContext({ requestId: 'r-1' }, async () => {
    await Promise.resolve();
    log.info('inside');
  });
  log.info('outside');
  withRequestId(log, 'r-2').info('later');
  expect(parsed().map((line) => line['requestId'])).toEqual(['r-1', undefined, 'r-2']);
});

test('pretty lines are for people, and redacted too', () => {
  const { log, lines } = capture('info', true);
  log.warn({ port: 1, token: 'abc1', error: new Error('broken') }, 'odd');
  expect(lines[0]).toMatch(
    /^[\d:.]{12} WARN {2}test: odd port=1 token=\[redacted\] error=broken\nError: broken\n/,
  );
});
