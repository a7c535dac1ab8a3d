import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type Platform as Running, type PlatformOptions } from '@parley/stack/platform';
import { freePort, refusalsOf } from '@parley/testing';
import type { Platform } from './app.ts';
import { cellEnvironment } from './cell-database.ts';
import { until } from './until.ts';

/** A platform for a single test file, which may kill its processes. */
export type OwnPlatform = Platform & {
  running: Running;
  /** Folder of its data. */
  dataDir: string;
  /** SIGKILL; resolves when the supervisor has started it again and it is ready. */
  killAndAwait(name: string): Promise<void>;
  stop(): Promise<void>;
};

/** `durable`: default false, since a killed process loses nothing either way. */
type Options = Partial<Pick<PlatformOptions, 'env' | 'durable' | 'demo' | 'replicas'>>;

export async function ownPlatform({ env = {}, ...options }: Options = {}): Promise<OwnPlatform> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-own-'));
  const dataDir = path.join(folder, 'data');
  const cells = await cellEnvironment();
  const running = await startPlatform({
    dataDir,
    port: await freePort(),
    demo: false,
    durable: false,
    yieldsProcessors: false,
    ...options,
    env: { ...cells, ...env, '*': { PARLEY_RATE_LIMIT_FACTOR: '0', ...env['*'] } },
  });
  const pidOf = (name: string) => running.state.processes.find((one) => one.name === name)?.pid;
  return {
    baseUrl: running.baseUrl,
    adminToken: running.state.admin_token,
    running,
    dataDir,
    killAndAwait: async (name) => {
      const old = pidOf(name);
      running.kill(name);
      await until(`${name} is started again`, () => (pidOf(name) ?? old) !== old || undefined, 60_000);
      // A process that starts before its dependencies ends, and is started again.
      const ready = () =>
        running.untilReady(name).then(
          () => true,
          () => undefined,
        );
      await until(`${name} is ready`, ready, 60_000);
    },
    stop: async () => {
      await running.discard();
      const refusals = refusalsOf(running.logFile('nats'));
      if (refusals.length > 0) throw new Error(`NATS refused: ${refusals.join('; ')}`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
