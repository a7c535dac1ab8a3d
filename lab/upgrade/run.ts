import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from '@parley/stack/config';
import { startPlatform, type Platform as Running } from '@parley/stack/platform';
import { lastRelease, obtainRelease } from '@parley/stack/release';
import { freePort } from '@parley/testing';
import { KINDS } from '../../test/support/fleet.ts';
import { until } from '../../test/support/until.ts';
import { startReleases, type Releases } from '../../test/support/releases.ts';
import { fillMessaging, type Amount } from './changes.ts';
import { DATABASES, withDatabase } from './databases.ts';
import { fillHistory } from './history.ts';
import { readMigrations, type Applied } from './migrations.ts';
import { listUneven } from './partitions.ts';
import { openRoom, slowestBetween, startSends, type Room, type Send } from './sends.ts';
import { listStatements, resetStatements, type Statement } from './statements.ts';

export type Options = Amount & {
  /** Rows that every other table that grows gets. */
  history: number;
  /** How long the platform runs without requests, and then with them, while its statements are recorded. Milliseconds. */
  observeMs: number;
  say(line: string): void;
};

export type Report = {
  /** The slowest send before the upgrade. Milliseconds, as all times. */
  slowestBefore: number;
  sends: number;
  migrations: (Applied & { slowestSend: number })[];
  /** Partitions that lack an index which others have. */
  uneven: string[];
  /** Statements that an idle platform runs, and the same statements beside sends. */
  periodic: Statement[];
  besideSends: Statement[];
  /** Messages that are sent beside them in the time of which a job looks for changes at once. */
  sentInSlice: number;
  slowestAfter: number;
};

const READY_WITHIN_MS = 300_000;
/** The value of SLICE_MS in services/messaging/src/live/tail-repairs.ts. */
const SLICE_MS = 2_000;

/** Upgrades a large installation of the last release to this one under load, process by process, and measures what it takes. */
export async function upgradeLarge(options: Options): Promise<Report> {
  const before = await obtainRelease(lastRelease());
  const releases = startReleases(before);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-large-'));
  chmodSync(dataDir, 0o755);
  const running = await startPlatform({
    ...{ dataDir, port: await freePort(), durable: false, demo: false, recordsStatements: true },
    ...{ catalog: releases.catalog, natsUsers: false },
    env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } },
    replicas: Object.fromEntries(KINDS.map((kind) => [kind, 2])),
  });
  try {
    return await run({ running, releases, dataDir }, options);
  } finally {
    await running.discard();
    releases.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type World = { running: Running; releases: Releases; dataDir: string };

async function run(world: World, options: Options): Promise<Report> {
  const { running } = world;
  const { say, observeMs } = options;
  const server = running.state.postgres_url;
  const room = await openRoom({ baseUrl: running.baseUrl, adminToken: running.state.admin_token });
  const filled = await fill(world, options);
  say('upgrading');
  const before = await sendFor(world, room, observeMs / 2);
  const { sends, migrations } = await replaceUnderLoad(world, room);
  const uneven = await withDatabase(server, 'messaging', listUneven);
  say('filling the tables that are new');
  for (const database of DATABASES)
    await withDatabase(server, database, (client) =>
      fillHistory(client, { database, rows: options.history, except: filled.get(database) ?? [] }),
    );
  say('recording the statements of an idle platform');
  await resetStatements(server);
  await restartAll(world);
  running.kill('messaging-2');
  await pause(observeMs);
  const periodic = await listStatements(server);
  say('recording them beside sends');
  await resetStatements(server);
  running.kill('messaging');
  const after = await sendFor(world, room, observeMs);
  const known = new Set(periodic.map(({ id, database }) => `${database} ${id}`));
  const besideSends = (await listStatements(server)).filter(({ id, database }) =>
    known.has(`${database} ${id}`),
  );
  return {
    slowestBefore: slowest(before),
    sends: sends.length,
    migrations: migrations.map((one) => ({
      ...one,
      slowestSend: slowestBetween(sends, one.from, one.until),
    })),
    ...{ uneven, periodic, besideSends, slowestAfter: slowest(after) },
    sentInSlice: (after.length * SLICE_MS) / observeMs,
  };
}

const slowest = (sends: readonly Send[]): number => slowestBetween(sends, 0, Infinity);

/** The tables of each database that got rows. */
async function fill({ running, dataDir }: World, options: Options): Promise<Map<string, string[]>> {
  const server = running.state.postgres_url;
  const { say, changes, messages, history } = options;
  say(`copying ${messages} messages and ${changes} changes`);
  const folder = path.join(dataDir, 'copied');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  await withDatabase(server, 'messaging', (client) => fillMessaging(client, folder, { changes, messages }));
  rmSync(folder, { recursive: true });
  say(`filling other tables with ${history} rows each`);
  const filled = new Map<string, string[]>();
  for (const database of DATABASES.filter((name) => name !== 'push'))
    filled.set(
      database,
      await withDatabase(server, database, (client) => fillHistory(client, { database, rows: history })),
    );
  return filled;
}

const gateways = (running: Running): string[] =>
  running.state.processes
    .filter(({ name }) => /^gateway(-2)?$/.test(name))
    .map(({ http_port }) => `http://127.0.0.1:${http_port}`);

async function sendFor({ running }: World, room: Room, ms: number): Promise<readonly Send[]> {
  const sends = startSends(room, gateways(running));
  await pause(ms);
  await sends.stop();
  return sends.done;
}

/** Replaces the replicas of all processes one after another, while messages are sent. */
async function replaceUnderLoad(
  world: World,
  room: Room,
): Promise<{ sends: readonly Send[]; migrations: Applied[] }> {
  const { running, releases } = world;
  const load = startSends(room, gateways(running));
  const migrations: Applied[] = [];
  for (const suffix of ['-2', '']) {
    const since = Date.now();
    for (const kind of KINDS) releases.use(kind, REPOSITORY);
    await Promise.all(KINDS.map((kind) => replace(running, `${kind}${suffix}`)));
    for (const kind of KINDS)
      migrations.push(...readMigrations(kind, running.logFile(`${kind}${suffix}`), since));
  }
  await load.stop();
  return { sends: load.done, migrations };
}

async function restartAll({ running }: World): Promise<void> {
  await Promise.all(KINDS.flatMap((kind) => [kind, `${kind}-2`]).map((name) => replace(running, name)));
}

async function replace(running: Running, name: string): Promise<void> {
  const pidOf = (): number | undefined => running.state.processes.find((one) => one.name === name)?.pid;
  const old = pidOf();
  running.kill(name, 'SIGTERM');
  await until(
    `${name} is started again`,
    () => ![old, undefined].includes(pidOf()) || undefined,
    READY_WITHIN_MS,
  );
  const isReady = () => running.untilReady(name).then(() => true, () => undefined); // prettier-ignore
  await until(`${name} is ready`, isReady, READY_WITHIN_MS);
}
