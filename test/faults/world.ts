import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type CatalogEntry, type Platform as Running } from '@parley/stack/platform';
import { freePort, startNatsProxy, type NatsProxy } from '@parley/stack/testing';
import type { Platform } from '../support/app.ts';
import { KINDS } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** A platform with two of every process, each of which reaches NATS by a proxy of its own. */
export type World = {
  platform: Platform;
  /** Of every gateway. */
  addresses: readonly string[];
  /** Names of gateways and services, `messaging` and `messaging-2` and so on. */
  names: readonly string[];
  /** By the name of the process that uses it. */
  proxies: ReadonlyMap<string, NatsProxy>;
  signal(name: string, signal: NodeJS.Signals): void;
  pidOf(name: string): number | undefined;
  /** Resolves when another process than `before` runs under the name and is ready. */
  untilReplaced(name: string, before: number | undefined): Promise<void>;
  /** Resolves when every process is ready. */
  untilReady(): Promise<void>;
  stop(): Promise<void>;
};

const READY_WITHIN_MS = 60_000;

/** `catalog`: default: the processes of this checkout. */
export async function startWorld({ catalog }: { catalog?: CatalogEntry[] } = {}): Promise<World> {
  const names = KINDS.flatMap((kind) => [kind, `${kind}-2`]);
  const proxies = new Map<string, NatsProxy>();
  for (const name of names) proxies.set(name, await startNatsProxy());
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-faults-'));
  const throughProxies = [...proxies].map(([name, { url }]) => [name, { PARLEY_NATS_URL: url }] as const);
  const running = await startPlatform({
    ...{ dataDir, port: await freePort(), durable: false, demo: false },
    // The last release knows no users.
    ...(catalog && { catalog, natsUsers: false }),
    env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' }, ...Object.fromEntries(throughProxies) },
    replicas: Object.fromEntries(KINDS.map((kind) => [kind, 2])),
  });
  for (const proxy of proxies.values()) proxy.connectTo(running.state.nats_url);
  const processOf = (name: string) => running.state.processes.find((one) => one.name === name);
  return {
    ...{ names, proxies },
    platform: { baseUrl: running.baseUrl, adminToken: running.state.admin_token },
    addresses: ['gateway', 'gateway-2'].map((name) => `http://127.0.0.1:${processOf(name)?.http_port}`),
    signal: (name, signal) => running.kill(name, signal),
    pidOf: (name) => processOf(name)?.pid,
    untilReplaced: async (name, before) => {
      const isReplaced = () => ![before, undefined].includes(processOf(name)?.pid) || undefined;
      await until(`${name} is started again`, isReplaced, READY_WITHIN_MS);
      await untilReady(running, name);
    },
    untilReady: async () => {
      await Promise.all(running.state.processes.map(({ name }) => untilReady(running, name)));
    },
    stop: async () => {
      await running.discard();
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
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
