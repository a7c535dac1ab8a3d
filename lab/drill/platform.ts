import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@parley/stack/config';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { freePort } from '@parley/testing';
import { createClocks } from '../faults/clocks.ts';
import { copyTree } from './copy-tree.ts';
import { restore } from './postgres-backup.ts';
import { aheadBy, momentOf, type Moments, type Skew } from './skew.ts';

/** Remains of a destroyed platform, by the names of folders below `root`, and the moments that it can be restored to. */
export type Remains = { root: string; moments: Moments; clocksApartMs: number };

const ENV = { PARLEY_RATE_LIMIT_FACTOR: '0' };

export type Start = {
  dataDir: string;
  port: number;
  env?: Record<string, Record<string, string>>;
  catalog?: [];
  /** Largest difference of a process's clock from the machine's, once all processes are ready; every process has another one. Default 0. */
  clocksApartMs?: number;
};

export async function start({ env, clocksApartMs = 0, ...options }: Start): Promise<Platform> {
  const given = { ...options, demo: false, yieldsProcessors: false, env: { '*': ENV, ...env } };
  if (clocksApartMs === 0) return startPlatform(given);
  const clocks = createClocks();
  const rewire = (name: string, own: Record<string, string>) => Promise.resolve(clocks.add(name, own));
  const platform = await startPlatform({ ...given, rewire });
  const names = platform.state.processes.filter(({ kind }) => kind !== 'infra').map(({ name }) => name);
  aheadBy(names, clocksApartMs).forEach(([name, aheadMs]) => clocks.move(name, aheadMs));
  return {
    ...platform,
    get state() {
      return platform.state;
    },
    stop: () => platform.stop().finally(clocks.stop),
    discard: () => platform.discard().finally(clocks.stop),
  };
}

export type Restored = { platform: Platform; stop(): Promise<void> };

/** Restores all databases, the blobs and the journal, and starts the processes; NATS begins empty. */
export async function restoreAll(
  { root, moments, clocksApartMs }: Remains,
  port: number,
  skew: Skew,
): Promise<Restored> {
  const data = path.join(root, 'data');
  for (const name of ['nats', 'blobs', 'journal'])
    await rm(path.join(data, name), { recursive: true, force: true });
  await copyTree(path.join(root, 'blobs'), path.join(data, 'blobs'));
  await copyTree(path.join(root, 'journal'), path.join(data, 'journal'));
  const others = skew?.is === 'older' ? moments.second : moments.first;
  await restoreServer(root, data, others);
  if (!skew) {
    const platform = await start({ dataDir: data, port, clocksApartMs });
    return { platform, stop: () => platform.discard() };
  }
  // The database of another moment is on a server of its own.
  const aside = path.join(root, 'aside');
  mkdirSync(aside, { recursive: true });
  await cp(path.join(data, 'secrets.json'), path.join(aside, 'secrets.json'));
  await restoreServer(root, aside, moments[momentOf(skew, skew.database)]);
  await writeFile(path.join(aside, 'postgres.initialised'), '');
  const server = await start({ dataDir: aside, port: await freePort(), catalog: [] });
  const url = new URL(server.state.postgres_url);
  url.pathname = `/parley_${skew.database}`;
  const env = { [skew.database]: { PARLEY_DATABASE_URL: url.href } };
  const platform = await start({ dataDir: data, port, env, clocksApartMs });
  return {
    platform,
    async stop() {
      await platform.discard();
      await server.discard();
    },
  };
}

function restoreServer(root: string, data: string, to: Date): Promise<void> {
  const target = path.join(data, 'postgres');
  return restore({
    backup: path.join(root, 'backup'),
    archive: path.join(root, 'archive'),
    data: target,
    to,
  });
}

/** `parley admin after-restore`; returns what it prints. */
export async function recover({ baseUrl, state }: Platform, since: Date): Promise<string> {
  const main = path.join(REPOSITORY, 'cli/dist/main.js');
  const args = [main, 'admin', 'after-restore', '--since', since.toISOString()];
  const env = { PARLEY_URL: baseUrl, PARLEY_ADMIN_TOKEN: state.admin_token };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout;
}
