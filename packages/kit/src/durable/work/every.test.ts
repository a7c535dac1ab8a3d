import { createTestDatabase, until } from '@parley/testing';
import { createTestClock, systemClock, type Clock } from '../../runtime/clock/index.ts';
import { every, type Job } from './every.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createDatabase, type Database } from '../../postgres/index.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let url: string;
let replicas: Database[];

beforeAll(async () => {
  url = await createTestDatabase();
});
beforeEach(() => {
  replicas = [1, 2, 3].map((n) => createDatabase({ url, poolSize: 2, log, applicationName: `replica-${n}` }));
});
afterEach(() => Promise.all(replicas.map((db) => db.close())));

const start = (
  db: Database,
  run: () => Promise<void>,
  options: { clock?: Clock; exclusive?: boolean } = {},
): Job => every({ db, name: 'job', intervalMs: 1000, run, log, clock: createTestClock(0), ...options });

test('runs on one of three replicas, always the same one, and moves over when that one dies', async () => {
  const runs: number[] = [];
  const jobs = replicas.map((db, i) => start(db, async () => void runs.push(i)));
  const round = () => Promise.all(jobs.map((job) => job.runNow()));
  await round();
  const [leader] = runs;
  expect(runs).toEqual([leader]);
  await round();
  expect(runs).toEqual([leader, leader]);

  await replicas[leader!]!.close();
  await until(() => round().then(() => runs.length > 2 || undefined), {
    withinMs: 10_000,
    what: 'another one takes over',
  });
  expect(runs).toHaveLength(3);
  expect(runs[2]).not.toBe(leader);
});

test('moves over when the leader stops, and when only its connection is lost it does not run twice', async () => {
  const runs: string[] = [];
  const [a, b] = [
    start(replicas[0]!, async () => void runs.push('a')),
    start(replicas[1]!, async () => void runs.push('b')),
  ];
  await a.runNow();
  await b.runNow();
  const kill = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`;
  await replicas[2]!.query({ text: kill });
  await until(async () => (await b.runNow(), runs.includes('b') || undefined), {
    withinMs: 10_000,
    what: 'b runs',
  });
  await a.runNow();
  expect(runs).toEqual(['a', 'b']);
  await b.stop();
  await until(async () => (await a.runNow(), runs.length > 2 || undefined), {
    withinMs: 10_000,
    what: 'a runs again',
  });
  expect(runs).toEqual(['a', 'b', 'a']);
});

test('runs at once, then an interval after each end, and goes on when a run fails', async () => {
  const timers: { ms: number; fn: () => void }[] = [];
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    setTimer: (ms, fn) => (timers.push({ ms, fn }), () => undefined),
  };
  let runs = 0;
  const job = start(replicas[0]!, async () => (runs++, Promise.reject(new Error('no'))), { clock });
  for (const expected of [1, 2, 3]) {
    timers.at(-1)!.fn();
    await until(() => timers.length > expected || undefined, { withinMs: 10_000, what: 'the next timer' });
    expect(runs).toBe(expected);
  }
  expect(timers.map(({ ms }) => ms)).toEqual([0, 1000, 1000, 1000]);
  await job.stop();
});

test('pauses longer after each run without work, and as at the beginning after one with work', async () => {
  const pauses: number[] = [];
  let fire: () => void = () => undefined;
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    setTimer: (ms, fn) => (pauses.push(ms), (fire = fn), () => undefined),
  };
  const work = [false, false, false, true, false];
  const run = (_signal: AbortSignal, found: () => void): Promise<void> => {
    if (work.shift()) found();
    return Promise.resolve();
  };
  const job = every({ db: replicas[0]!, name: 'job', intervalMs: 250, idleMs: 1500, run, log, clock });
  for (const count of [2, 3, 4, 5, 6]) {
    fire();
    await until(() => pauses.length === count || undefined, { withinMs: 10_000, what: 'the next timer' });
  }
  expect(pauses).toEqual([0, 500, 1000, 1500, 250, 500]);
  await job.stop();
});

test('never overlaps itself, and stop() waits for the run that is going on', async () => {
  let running = 0;
  let most = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const job = start(replicas[0]!, async () => {
    most = Math.max(most, ++running);
    await released;
    running--;
  });
  const runs = [job.runNow(), job.runNow()];
  await until(() => running === 1 || undefined, { withinMs: 10_000, what: 'it runs' });
  const stopped = job.stop().then(() => running);
  release();
  expect(await stopped).toBe(0);
  await Promise.all(runs);
  expect(most).toBe(1);
});

test('that is not exclusive runs everywhere', async () => {
  let runs = 0;
  const jobs = replicas.map((db) => start(db, async () => void runs++, { exclusive: false }));
  await Promise.all(jobs.map((job) => job.runNow()));
  expect(runs).toBe(3);
});

test('survives a database that cannot be reached', async () => {
  const nowhere = createDatabase({
    url: 'postgres://127.0.0.1:1/none',
    poolSize: 1,
    log,
    applicationName: 'nowhere',
  });
  let runs = 0;
  const job = every({
    db: nowhere,
    name: 'job',
    intervalMs: 1000,
    run: async () => void runs++,
    log,
    clock: systemClock,
  });
  await job.runNow();
  expect(runs).toBe(0);
  await job.stop();
  await nowhere.close();
});
