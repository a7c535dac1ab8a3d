import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkJetStream } from '@parley/stack/nats/server';
import { REPOSITORY } from '@parley/stack/config';
import { startPlatform, type Platform as Running } from '@parley/stack/platform';
import { freePort } from '@parley/testing';
import pg from 'pg';
import type { Platform } from '../../test/support/app.ts';
import {
  startPushServiceOfBrowsers,
  type PushServiceOfBrowsers,
} from '../../test/support/chat/browser-pushes.ts';
import { KINDS } from '../../test/support/fleet.ts';
import { until } from '../../test/support/until.ts';
import { mountDisks, type Disks } from './disks.ts';
import type { ReleaseName } from './kinds.ts';
import type { Releases } from '../../test/support/releases.ts';
import { createWires, type Wires } from './wires.ts';

/** A platform with two of every process, which reach each other, NATS and Postgres by proxies. */
export type World = {
  platform: Platform;
  /** Addresses of all gateways. */
  addresses: readonly string[];
  /** Names of gateways and services, `messaging` and `messaging-2` and so on. */
  names: readonly string[];
  wires: Omit<Wires, 'rewire' | 'stop'>;
  /** Makes the process one of that release from its next start on; so are its replicas. Absent: all are of this checkout. */
  useRelease?(name: string, release: ReleaseName): void;
  /** A push service for browsers, to which the platform is allowed to send. */
  browsers?: PushServiceOfBrowsers;
  /** Undefined where file systems may not be mounted. */
  disks: Disks | undefined;
  /** Folder of NATS' files. */
  natsFolder: string;
  signal(name: string, signal: NodeJS.Signals): void;
  pidOf(name: string): number | undefined;
  /** Resolves when another process than `before` runs under the name and is ready. */
  untilReplaced(name: string, before: number | undefined): Promise<void>;
  /** Address for a superuser of the server, not by a proxy. */
  postgresUrl: string;
  /** Resolves when Postgres and JetStream answer, which they may do only after a restart by the supervisor. */
  untilInfraAnswers(): Promise<void>;
  /** Resolves when every process is ready. */
  untilReady(): Promise<void>;
  /** The last errors that gateways and services logged, with the names of the processes. */
  loggedErrors(): string[];
  stop(): Promise<void>;
};

const READY_WITHIN_MS = 60_000;

/**
 * `releases`: default: all processes are of this checkout. `fillsDisks`: what stores something gets a file system of its own, where that is
 * possible.
 */
export async function startWorld({
  releases,
  fillsDisks = false,
}: { releases?: Releases; fillsDisks?: boolean } = {}): Promise<World> {
  const names = KINDS.flatMap((kind) => [kind, `${kind}-2`]);
  const wires = createWires();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-faults-'));
  // The last release sends no pushes itself.
  const browsers = releases ? undefined : await startPushServiceOfBrowsers();
  const disks = fillsDisks ? mountDisks(dataDir) : undefined;
  const running = await startPlatform({
    ...{ dataDir, port: await freePort(), durable: false, demo: false, yieldsProcessors: false },
    // The last release knows no users.
    ...(releases && { catalog: releases.catalog, natsUsers: false }),
    env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '0', ...browsers?.env.push } },
    rewire: wires.rewire,
    replicas: Object.fromEntries(KINDS.map((kind) => [kind, 2])),
  });
  const processOf = (name: string) => running.state.processes.find((one) => one.name === name);
  return {
    ...{ names, wires, disks, ...(browsers && { browsers }) },
    natsFolder: path.join(dataDir, 'nats'),
    ...(releases && {
      useRelease: (name: string, release: ReleaseName) =>
        releases.use(name.replace(/-\d$/, ''), release === 'last' ? releases.folder : REPOSITORY),
    }),
    platform: { baseUrl: running.baseUrl, adminToken: running.state.admin_token },
    addresses: ['gateway', 'gateway-2'].map((name) => `http://127.0.0.1:${processOf(name)?.http_port}`),
    signal: (name, signal) => running.kill(name, signal),
    pidOf: (name) => processOf(name)?.pid,
    untilReplaced: async (name, before) => {
      const isReplaced = () => ![before, undefined].includes(processOf(name)?.pid) || undefined;
      await until(`${name} is started again`, isReplaced, READY_WITHIN_MS);
      await untilReady(running, name);
    },
    postgresUrl: running.state.postgres_url,
    untilInfraAnswers: () => untilInfraAnswers(running),
    untilReady: async () => {
      await Promise.all(running.state.processes.map(({ name }) => untilReady(running, name)));
    },
    loggedErrors: () =>
      names.flatMap((name) => errorsIn(running.logFile(name)).map((line) => `${name}: ${line}`)),
    stop: async () => {
      await running.discard();
      await wires.stop();
      await browsers?.stop();
      disks?.unmount();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilInfraAnswers(running: Running): Promise<void> {
  const { postgres_url: url, processes } = running.state;
  const monitor = processes.find(({ name }) => name === 'nats')?.http_port ?? 0;
  const succeeds = (work: () => Promise<unknown>) => () =>
    work().then(
      () => true,
      () => undefined,
    );
  const commits = succeeds(() => tryCommit(url));
  await until('Postgres commits', commits, READY_WITHIN_MS);
  const answers = succeeds(() => checkJetStream(monitor, AbortSignal.timeout(2_000)));
  await until('JetStream answers', answers, READY_WITHIN_MS);
}

/** Fails also where nothing can be written. */
async function tryCommit(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('create table written (); drop table written');
  } finally {
    await client.end().catch(() => undefined);
  }
}

const MAX_ERRORS = 30;

function errorsIn(logFile: string): string[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => line.includes('"level":"error"')).slice(-MAX_ERRORS);
}

/** A process that is started before what it needs ends again, and is started once more. */
async function untilReady(running: Running, name: string): Promise<void> {
  const ready = () =>
    running.untilReady(name).then(
      () => true,
      () => undefined,
    );
  await until(`${name} is ready`, ready, READY_WITHIN_MS);
}
