import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { freePort, guardProcess, sharedServer } from '@parley/testing';
import type { Platform } from './app.ts';

/** The real processes, started once for all files of a test run. */
export async function platform(): Promise<Platform> {
  const { baseUrl, adminToken } = await described();
  return { baseUrl, adminToken };
}

/** The address of a database of the platform, for checks that no call can make, such as that rows are deleted. */
export async function postgresUrl(database: string): Promise<string> {
  const known = await described();
  const url = new URL(known.postgresUrl);
  url.pathname = `/${database}`;
  if (database === 'parley_messaging' && known.messagingUrl !== undefined) return known.messagingUrl;
  // What a test asks is no statement of a service.
  url.searchParams.set('options', '-c pg_stat_statements.track=none');
  return url.href;
}

/** A gateway of the same platform with low limits, which trusts one proxy. */
export async function limitedUrl(): Promise<string> {
  return (await described()).limitedUrl;
}

/** Addresses of the metrics of each process of the platform, by its name. */
export async function metricsUrls(): Promise<Record<string, string>> {
  return (await described()).metricsUrls;
}

type Described = Platform & {
  postgresUrl: string;
  /** Address of messaging's database; absent: it is on the same server. */
  messagingUrl?: string;
  limitedUrl: string;
  metricsUrls: Record<string, string>;
};

async function described(): Promise<Described> {
  return JSON.parse(await sharedServer('platform', start)) as Described;
}

const runner = path.join(import.meta.dirname, 'run-platform.ts');

async function start(folder: string): Promise<{ url: string }> {
  const dataDir = path.join(folder, 'platform');
  // Not this process's own output: it outlives the worker that starts it, and Jest waits for a worker's output to end.
  const output = openSync(path.join(folder, 'platform.log'), 'a');
  const child = spawn(process.execPath, [runner, dataDir, String(await freePort())], {
    detached: true,
    stdio: ['ignore', 'pipe', output],
  });
  closeSync(output);
  await once(child, 'spawn');
  guardProcess(folder, child.pid ?? 0);
  const { stdout } = child;
  if (!stdout) throw new Error('the platform has no output');
  for await (const line of createInterface({ input: stdout })) {
    if (!line.startsWith('{')) continue;
    stdout.destroy();
    child.unref();
    return { url: line };
  }
  throw new Error(`the platform did not start: see platform.log in ${folder}`);
}
