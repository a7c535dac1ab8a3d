import { createConnectionLiveness, TICK_MS } from './connection-liveness.ts';

type Ping = { answer(): void };

function start() {
  let time = 1_000;
  let received = 0;
  const pings: Ping[] = [];
  const confirmed: number[] = [];
  let drops = 0;
  const liveness = createConnectionLiveness({
    now: () => time,
    confirmed: (sentAt) => void confirmed.push(sentAt),
    dead: () => undefined,
  });
  liveness.connected({
    ping: () => new Promise((resolve) => void pings.push({ answer: resolve })),
    received: () => received,
    drop: () => void drops++,
  });
  return {
    pings,
    confirmed,
    drops: () => drops,
    receive: () => void received++,
    async run(ms: number, each: () => void = () => undefined) {
      for (let left = ms; left > 0; left -= TICK_MS) {
        time += TICK_MS;
        each();
        liveness.tick();
        await Promise.resolve();
      }
    },
    async stall(ms: number) {
      time += ms;
      liveness.tick();
      await Promise.resolve();
    },
  };
}

test('the time of a confirmation is when the answered ping was sent', async () => {
  const { pings, confirmed, run } = start();
  await run(1_500);
  pings[0]!.answer();
  await run(500);
  expect(confirmed).toEqual([1_000]);
  await run(1_000);
  expect(pings).toHaveLength(2);
  pings[1]!.answer();
  await run(TICK_MS);
  expect(confirmed).toEqual([1_000, 3_000]);
});

test('a silent connection is dropped within five seconds of its last answer, once', async () => {
  const { pings, run, drops } = start();
  pings[0]!.answer();
  await run(4_250);
  expect(drops()).toBe(0);
  await run(750);
  expect(drops()).toBe(1);
  await run(10_000);
  expect(drops()).toBe(1);
});

test('a connection on which messages arrive is not dropped, however late the answer', async () => {
  const { receive, run, drops } = start();
  await run(60_000, receive);
  expect(drops()).toBe(0);
  await run(3_000);
  expect(drops()).toBe(1);
});

test('a process that stood still waits as long again for the answer', async () => {
  const { pings, confirmed, run, stall, drops } = start();
  await stall(5_000);
  expect(drops()).toBe(0);
  pings[0]!.answer();
  await run(1_000);
  expect(confirmed).toEqual([1_000]);
  await stall(5_000);
  await stall(5_000);
  expect(drops()).toBe(0);
});
