import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPlatform, type Platform as Running } from '@parley/stack/platform';
import { freePort } from '@parley/testing';
import type { Platform } from './app.ts';
import { metricsUrlOf } from './metrics-url.ts';
import { until } from './until.ts';

/** A platform with several replicas of every process. */
export type Fleet = {
  platform: Platform;
  /** The addresses of all gateways. */
  addresses: string[];
  /** Names of the gateways and services, `messaging` and `messaging-2` and so on. */
  names: string[];
  metricsUrlOf(name: string): string;
  /** Ends a process by a signal; resolves when its replacement is ready. */
  replace(name: string, signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

export const KINDS = [
  'gateway',
  'identity',
  'messaging',
  'content',
  'announcement',
  'export',
  'webhook',
  'push',
];

/** Two replicas of every process of this checkout. */
export async function startFleet(): Promise<Fleet> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-fleet-'));
  const running = await startPlatform({
    dataDir,
    port: await freePort(),
    durable: false,
    yieldsProcessors: false,
    demo: false,
    env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } },
    replicas: Object.fromEntries(KINDS.map((name) => [name, 2])),
  });
  const members = running.state.processes.filter(({ kind }) => kind !== 'infra');
  return {
    platform: { baseUrl: running.baseUrl, adminToken: running.state.admin_token },
    addresses: members
      .filter(({ kind }) => kind === 'gateway')
      .map(({ http_port: port }) => `http://127.0.0.1:${port}`),
    names: members.map(({ name }) => name),
    metricsUrlOf: (name) => metricsUrlOf(running, name),
    replace: (name, signal) => replace(running, name, signal),
    stop: async () => {
      await running.discard();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function replace(running: Running, name: string, signal: NodeJS.Signals): Promise<void> {
  const pidOf = () => running.state.processes.find((one) => one.name === name)?.pid;
  const before = pidOf();
  running.kill(name, signal);
  await until(`${name} is started again`, () => (pidOf() === before ? undefined : pidOf()), 30_000);
  await running.untilReady(name);
  // As long as a load balancer takes to notice the new process; other processes reconnect within half a second.
  await pause(1_200);
}
