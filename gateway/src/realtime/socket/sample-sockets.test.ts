import { createTestClock } from '@parley/kit/runtime/clock';
import type { RealtimeContext } from '../context.ts';
import { startSocketSamples } from './sample-sockets.ts';

const MINUTE_MS = 60_000;

test('open sockets and their users are counted once in each minute, at its beginning', () => {
  const clock = createTestClock(1_800_000_000_000 + 41_000);
  const callers = [
    { appId: 'a', userId: 'ada' },
    { appId: 'a', userId: 'ada' },
    { appId: 'b', userId: 'bob' },
  ];
  const hub = { all: () => callers.map((caller) => ({ caller })) };
  const counted: unknown[] = [];
  const figures = {
    add: (appId: string, figure: string) => counted.push([clock.now() % MINUTE_MS, appId, figure]),
    active: (appId: string, userId: string) => counted.push([appId, userId]),
  };
  const stop = startSocketSamples(
    { clock, figures } as unknown as RealtimeContext,
    hub as unknown as Parameters<typeof startSocketSamples>[1],
  );
  clock.advance(18_000);
  expect(counted).toEqual([]);
  clock.advance(2_000);
  const sample = [
    ...[
      [expect.any(Number), 'a', 'sockets'],
      ['a', 'ada'],
    ],
    ...[
      [expect.any(Number), 'a', 'sockets'],
      ['a', 'ada'],
    ],
    ...[
      [expect.any(Number), 'b', 'sockets'],
      ['b', 'bob'],
    ],
  ];
  expect(counted).toEqual(sample);
  expect((counted[0] as [number])[0]).toBeLessThan(1_000);
  callers.length = 1;
  clock.advance(MINUTE_MS);
  expect(counted).toEqual([...sample, ...sample.slice(0, 2)]);
  stop();
  clock.advance(10 * MINUTE_MS);
  expect(counted).toHaveLength(8);
});
